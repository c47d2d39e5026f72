//! The console.
use std::os::windows::io::AsRawHandle;
use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_UNKNOWN, GetFileType};
use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList, GetConsoleWindow};
use windows_sys::Win32::UI::WindowsAndMessaging::{MB_ICONERROR, MessageBoxW};

/// Closes a console that no other program uses: Windows opened it for this one. Since version 24H2 the manifest tells Windows not to.
pub fn leave() {
    let mut processes = [0; 2];
    // SAFETY: as many entries as are named.
    unsafe {
        if GetConsoleProcessList(processes.as_mut_ptr(), 2) == 1 {
            FreeConsole();
        }
    }
}

/// Shows a sentence in a box, where the program has neither a console nor a file for it.
pub fn tell(sentence: &str) {
    let text: Vec<u16> = sentence.encode_utf16().chain([0]).collect();
    let title: Vec<u16> = "Anticlock".encode_utf16().chain([0]).collect();
    // SAFETY: both texts end with 0 and live through the calls.
    unsafe {
        let file = GetFileType(std::io::stderr().as_raw_handle().cast());
        if GetConsoleWindow().is_null() && file == FILE_TYPE_UNKNOWN {
            MessageBoxW(
                std::ptr::null_mut(),
                text.as_ptr(),
                title.as_ptr(),
                MB_ICONERROR,
            );
        }
    }
}
