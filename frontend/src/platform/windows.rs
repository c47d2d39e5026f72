//! Windows: what minifb does not offer there.
#![allow(unsafe_code)]
mod clicks;
pub mod console;
mod drops;
pub mod keys;
mod modal;
mod screen;

pub use clicks::Clicks;
pub use drops::Drops;
pub use modal::update;
pub use screen::{Desktop, Screen, show};

use minifb::Window;
use windows_sys::Win32::Foundation::{HWND, LPARAM, LRESULT, WPARAM};
use windows_sys::Win32::UI::Shell::{DefSubclassProc, RemoveWindowSubclass, SetWindowSubclass};
use windows_sys::Win32::UI::WindowsAndMessaging::WM_NCDESTROY;

/// A message of a window.
#[derive(Clone, Copy)]
struct Message {
    window: HWND,
    number: u32,
    wparam: WPARAM,
    lparam: LPARAM,
}

/// Sees the messages of a window before minifb does.
trait Watch {
    /// Differs from one kind of watch to the next.
    const ID: usize;

    /// True if the message ends here.
    fn takes(&self, message: &Message) -> bool;
}

/// From now on until the window is destroyed.
fn watch<W: Watch>(window: &Window, watch: W) {
    let data = Box::into_raw(Box::new(watch));
    // SAFETY: the window is this thread's; the data belongs to the procedure from now on, which frees it with the window.
    unsafe {
        let window: HWND = window.get_window_handle().cast();
        if SetWindowSubclass(window, Some(procedure::<W>), W::ID, data as usize) == 0 {
            drop(Box::from_raw(data));
        }
    }
}

unsafe extern "system" fn procedure<W: Watch>(
    window: HWND,
    number: u32,
    wparam: WPARAM,
    lparam: LPARAM,
    id: usize,
    data: usize,
) -> LRESULT {
    let watch = data as *mut W;
    let message = Message {
        window,
        number,
        wparam,
        lparam,
    };
    if modal::takes(&message) {
        return 0;
    }
    // SAFETY: the data was made by `watch`, is only read, and is freed by the last message of all.
    unsafe {
        if number == WM_NCDESTROY {
            RemoveWindowSubclass(window, Some(procedure::<W>), id);
            drop(Box::from_raw(watch));
        } else if (*watch).takes(&message) {
            return 0;
        }
        DefSubclassProc(window, number, wparam, lparam)
    }
}
