//! Modal loops. While the user moves or resizes a window by the mouse, or has its system menu open, Windows reads the thread's messages in a loop
//! of its own, inside the message that began it. So messages are read on a fiber. A timer's message, which a modal loop dispatches, switches from
//! there to the fiber of the window's own loop, which switches back when it would read messages the next time.
//!
//! No window procedure switches to the fiber: calls from Windows into the program must end in the order in which they began.
use super::Message;
use minifb::Window;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ptr::null_mut;
use windows_sys::Win32::Foundation::HWND;
use windows_sys::Win32::System::Threading::{ConvertThreadToFiber, CreateFiber, SwitchToFiber};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    DispatchMessageW, MSG, PM_REMOVE, PeekMessageW, PostMessageW, SetTimer, TranslateMessage,
    USER_TIMER_MINIMUM, WM_CONTEXTMENU, WM_LBUTTONUP, WM_MOUSEFIRST, WM_MOUSELAST,
    WM_NCLBUTTONDOWN, WM_NCLBUTTONUP, WM_NCMOUSEMOVE, WM_NCXBUTTONDBLCLK, WM_SYSCOMMAND, WM_TIMER,
};

/// Number of looks without a message after which none has come: under wine such a look asks the X server, and the next one has the answer.
const LOOKS: u32 = 3;

/// The fibers of a thread, and what passes between them.
struct Fibers {
    /// The fiber of the window's loop; null before there are two.
    own: Cell<*mut c_void>,
    /// The fiber that reads messages.
    reader: Cell<*mut c_void>,
    /// The second one runs.
    reads: Cell<bool>,
    /// It was left inside of a modal loop.
    is_modal: Cell<bool>,
    /// Messages of the mouse that minifb has read: they may begin a modal loop, and go to the fiber.
    kept: RefCell<Vec<Message>>,
}

thread_local! {
    static FIBERS: Fibers = const {
        Fibers {
            own: Cell::new(null_mut()),
            reader: Cell::new(null_mut()),
            reads: Cell::new(false),
            is_modal: Cell::new(false),
            kept: RefCell::new(Vec::new()),
        }
    };
}

/// Reads a window's events.
pub fn update(window: &mut Window) {
    if prepare() {
        for message in FIBERS.with(|fibers| fibers.kept.take()) {
            let Message {
                window,
                number,
                wparam,
                lparam,
            } = message;
            // SAFETY: a message whose parameters are plain numbers.
            unsafe { PostMessageW(window, number, wparam, lparam) };
        }
        enter();
        if FIBERS.with(|fibers| fibers.is_modal.get()) {
            return;
        }
    }
    // minifb looks at the mouse's place, and reads what has come since.
    window.update();
}

/// True if the message waits for the fiber: it came to the window's loop, and may begin a modal loop, or is one of the mouse after such a one.
pub fn takes(message: &Message) -> bool {
    FIBERS.with(|fibers| {
        let mut kept = fibers.kept.borrow_mut();
        let waits = match message.number {
            WM_NCMOUSEMOVE..=WM_NCXBUTTONDBLCLK | WM_SYSCOMMAND | WM_CONTEXTMENU => true,
            WM_MOUSEFIRST..=WM_MOUSELAST => !kept.is_empty(),
            _ => false,
        };
        let keeps = waits && !fibers.reads.get() && !fibers.reader.get().is_null();
        if keeps {
            let mut message = *message;
            // The modal loop that the button begins would have the mouse to itself.
            let began = |kept: &Message| kept.number == WM_NCLBUTTONDOWN;
            if message.number == WM_NCLBUTTONUP && kept.iter().any(began) {
                message.number = WM_LBUTTONUP;
            }
            kept.push(message);
        }
        keeps
    })
}

/// Makes the fibers; false where that fails, and modal loops hold the window's loop up.
fn prepare() -> bool {
    FIBERS.with(|fibers| {
        // SAFETY: the thread becomes a fiber once; both fibers live as long as the thread.
        unsafe {
            if fibers.own.get().is_null() {
                fibers.own.set(ConvertThreadToFiber(null_mut()));
            }
            if fibers.reader.get().is_null() && !fibers.own.get().is_null() {
                fibers.reader.set(CreateFiber(0, Some(read), null_mut()));
            }
        }
        !fibers.reader.get().is_null()
    })
}

/// Runs the fiber that reads messages until it leaves.
fn enter() {
    let reader = FIBERS.with(|fibers| {
        fibers.reads.set(true);
        fibers.reader.get()
    });
    // SAFETY: `prepare` has made the fiber, and it does not run.
    unsafe { SwitchToFiber(reader) };
}

/// Runs the fiber of the window's loop until it enters again.
fn leave(is_modal: bool) {
    let own = FIBERS.with(|fibers| {
        fibers.reads.set(false);
        fibers.is_modal.set(is_modal);
        fibers.own.get()
    });
    // SAFETY: the thread's first fiber, which waits in `enter`.
    unsafe { SwitchToFiber(own) };
}

/// The fiber that reads messages: all that have come, each time.
unsafe extern "system" fn read(_: *mut c_void) {
    // SAFETY: the timer is the thread's own; a message is written before it is read.
    unsafe {
        SetTimer(null_mut(), 0, USER_TIMER_MINIMUM, Some(tick));
        loop {
            let mut message = MSG::default();
            let mut vain = 0;
            while vain < LOOKS {
                vain += 1;
                if PeekMessageW(&raw mut message, null_mut(), 0, 0, PM_REMOVE) == 0 {
                    continue;
                }
                let is_tick = message.hwnd.is_null() && message.message == WM_TIMER;
                if !is_tick {
                    vain = 0;
                    TranslateMessage(&raw const message);
                    DispatchMessageW(&raw const message);
                }
            }
            leave(false);
        }
    }
}

/// A message of the timer. On the fiber it is dispatched by modal loops only.
unsafe extern "system" fn tick(_: HWND, _: u32, _: usize, _: u32) {
    if FIBERS.with(|fibers| fibers.reads.get()) {
        leave(true);
    }
}
