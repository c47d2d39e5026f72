//! macOS: files that are opened in the Finder. They come as events of the application, not as arguments; without a delegate that takes them
//! the Finder says that the program cannot open such files.
#![allow(unsafe_code)]
pub use super::none::{Clicks, Screen};

use minifb::Window;
use objc2::rc::Retained;
use objc2::runtime::{AnyObject, ProtocolObject};
use objc2::{DefinedClass, MainThreadMarker, MainThreadOnly, define_class, msg_send};
use objc2_app_kit::{NSApplication, NSApplicationDelegate};
use objc2_foundation::{
    NSArray, NSDictionary, NSObject, NSObjectProtocol, NSURL, NSUserDefaults, ns_string,
};
use std::cell::{OnceCell, RefCell};
use std::path::PathBuf;

define_class!(
    // SAFETY: NSObject asks nothing of its subclasses, and this one has no `Drop`.
    #[unsafe(super(NSObject))]
    #[thread_kind = MainThreadOnly]
    #[ivars = RefCell<Vec<PathBuf>>]
    struct Delegate;

    // SAFETY: the protocol asks for nothing else.
    unsafe impl NSObjectProtocol for Delegate {}

    // SAFETY: the method has the types of the protocol's.
    unsafe impl NSApplicationDelegate for Delegate {
        #[unsafe(method(application:openURLs:))]
        fn open(&self, _: &NSApplication, urls: &NSArray<NSURL>) {
            let files = urls.iter().filter_map(|url| url.to_file_path());
            self.ivars().borrow_mut().extend(files);
        }
    }
);

impl Delegate {
    /// Makes the application's delegate. minifb has none.
    fn new(thread: MainThreadMarker) -> Retained<Self> {
        // AppKit would open what was named on the command line a second time.
        let (key, value) = (
            ns_string!("NSTreatUnknownArgumentsAsOpen"),
            ns_string!("NO"),
        );
        let value: &AnyObject = value;
        let defaults = NSDictionary::from_slices(&[key], &[value]);
        // SAFETY: the dictionary has strings only.
        unsafe { NSUserDefaults::standardUserDefaults().registerDefaults(&defaults) };
        let delegate = Self::alloc(thread).set_ivars(RefCell::default());
        // SAFETY: `init` of NSObject.
        let delegate: Retained<Self> = unsafe { msg_send![super(delegate), init] };
        let application = NSApplication::sharedApplication(thread);
        application.setDelegate(Some(ProtocolObject::from_ref(&*delegate)));
        delegate
    }
}

thread_local! {
    /// The application does not own its delegate.
    static DELEGATE: OnceCell<Retained<Delegate>> = const { OnceCell::new() };
}

/// The application before it has a window. Its first window ends the launch, and then come the files that it was launched with: the
/// delegate has to be there before.
pub struct Desktop;

impl Desktop {
    /// Sets the delegate; `None` outside of the main thread.
    pub fn open() -> Option<Self> {
        let thread = MainThreadMarker::new()?;
        DELEGATE.with(|delegate| {
            delegate.get_or_init(|| Delegate::new(thread));
        });
        Some(Self)
    }

    #[allow(clippy::unused_self)] // Other systems know it.
    pub fn size(&self) -> Option<(usize, usize)> {
        None
    }

    #[allow(clippy::unused_self)] // Other systems know it.
    pub fn dots_per_inch(&self) -> Option<f32> {
        None
    }
}

/// Takes the files that are opened. Files that are dropped onto the window itself are not among them.
pub struct Drops;

impl Drops {
    /// The window that takes them.
    #[allow(clippy::unnecessary_wraps)] // Other systems may not have it.
    pub fn accept(_: &Window) -> Option<Self> {
        Some(Self)
    }

    /// The files that were opened since the last call; `None` if there were none.
    #[allow(clippy::unused_self)] // Other systems keep them in it.
    pub fn take(&mut self) -> Option<Vec<PathBuf>> {
        let files =
            DELEGATE.with(|delegate| delegate.get().map(|delegate| delegate.ivars().take()));
        files.filter(|files| !files.is_empty())
    }
}
