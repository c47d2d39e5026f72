//! Files that are dragged onto a window.
use super::{Message, Watch, watch};
use minifb::Window;
use std::cell::RefCell;
use std::ffi::OsString;
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;
use std::rc::Rc;
use windows_sys::Win32::UI::Shell::{DragAcceptFiles, DragFinish, DragQueryFileW, HDROP};
use windows_sys::Win32::UI::WindowsAndMessaging::WM_DROPFILES;

/// Takes the files that are dropped onto one window.
pub struct Drops(Rc<RefCell<Vec<PathBuf>>>);

struct Dropped(Rc<RefCell<Vec<PathBuf>>>);

impl Drops {
    /// From now on files can be dropped onto a window.
    #[allow(clippy::unnecessary_wraps)] // Other systems may not have it.
    pub fn accept(window: &Window) -> Option<Self> {
        let files = Rc::default();
        watch(window, Dropped(Rc::clone(&files)));
        // SAFETY: a window of ours.
        unsafe { DragAcceptFiles(window.get_window_handle().cast(), 1) };
        Some(Self(files))
    }

    /// The files that were dropped since the last call; `None` if nothing was.
    pub fn take(&mut self) -> Option<Vec<PathBuf>> {
        Some(self.0.take()).filter(|files| !files.is_empty())
    }
}

impl Watch for Dropped {
    const ID: usize = 2;

    fn takes(&self, message: &Message) -> bool {
        if message.number != WM_DROPFILES {
            return false;
        }
        let dropped = message.wparam as HDROP;
        // SAFETY: the message owns a list, which ends here; each name is read into as many units as it has, with the zero after it.
        unsafe {
            let count = DragQueryFileW(dropped, u32::MAX, std::ptr::null_mut(), 0);
            for number in 0..count {
                let length = DragQueryFileW(dropped, number, std::ptr::null_mut(), 0);
                let mut name = vec![0; length as usize + 1];
                let read = DragQueryFileW(dropped, number, name.as_mut_ptr(), length + 1);
                let path = OsString::from_wide(&name[..read as usize]);
                self.0.borrow_mut().push(path.into());
            }
            DragFinish(dropped);
        }
        true
    }
}
