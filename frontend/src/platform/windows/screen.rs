//! The screen that a window is on, and pictures on it. minifb is given no picture here: it would keep a pointer to it, and paint from there
//! whenever Windows wants.
use minifb::Window;
use std::cell::Cell;
use std::mem::size_of;
use std::ops::Range;
use windows_sys::Win32::Foundation::{HWND, RECT};
use windows_sys::Win32::Graphics::Dwm::{DWM_TIMING_INFO, DwmGetCompositionTimingInfo};
use windows_sys::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, DIB_RGB_COLORS, GetDC, GetMonitorInfoW,
    MONITOR_DEFAULTTONEAREST, MONITORINFO, MonitorFromWindow, ReleaseDC, SetDIBitsToDevice,
};
use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
use windows_sys::Win32::UI::WindowsAndMessaging::{
    CreateIcon, GWL_STYLE, GetClientRect, GetSystemMetrics, GetWindowLongPtrW, GetWindowPlacement,
    ICON_BIG, ICON_SMALL, IsIconic, PostMessageW, SM_CXSCREEN, SM_CYSCREEN, SWP_FRAMECHANGED,
    SWP_NOMOVE, SWP_NOOWNERZORDER, SWP_NOSIZE, SWP_NOZORDER, SendMessageW, SetWindowLongPtrW,
    SetWindowPlacement, SetWindowPos, WINDOWPLACEMENT, WM_SETICON, WM_SIZE, WS_OVERLAPPEDWINDOW,
};

/// The first screen.
pub struct Desktop;

#[allow(clippy::unused_self)] // Other systems ask a server.
impl Desktop {
    /// Always known.
    #[allow(clippy::unnecessary_wraps)] // Other systems may not have it.
    pub fn open() -> Option<Self> {
        Some(Self)
    }

    /// Width and height.
    pub fn size(&self) -> Option<(usize, usize)> {
        // SAFETY: plain calls.
        let (width, height) =
            unsafe { (GetSystemMetrics(SM_CXSCREEN), GetSystemMetrics(SM_CYSCREEN)) };
        let side = |pixels| usize::try_from(pixels).ok().filter(|&pixels| pixels > 0);
        side(width).zip(side(height))
    }

    /// The window's pixels are scaled by the system.
    pub fn dots_per_inch(&self) -> Option<f32> {
        None
    }
}

/// The screen that a window is on.
pub struct Screen {
    window: HWND,
    /// Where the window was before it filled the screen.
    before: Cell<Option<WINDOWPLACEMENT>>,
}

impl Screen {
    /// The screen of this window.
    #[allow(clippy::unnecessary_wraps)] // Other systems may not know it.
    pub fn of(window: &Window) -> Option<Self> {
        let window: HWND = window.get_window_handle().cast();
        // SAFETY: the rectangle is written by the call; the message has no data.
        unsafe {
            // minifb has asked for a size, and hears of the one that it got with the next change only.
            let mut client = RECT::default();
            if GetClientRect(window, &raw mut client) != 0 {
                let size = (client.bottom << 16 | client.right & 0xFFFF) as isize;
                PostMessageW(window, WM_SIZE, 0, size);
            }
        }
        Some(Self {
            window,
            before: Cell::new(None),
        })
    }

    /// Makes the window fill the screen, or a window again.
    pub fn fill(&self, on: bool) -> bool {
        if on == self.before.get().is_some() {
            return true;
        }
        let Self { window, before } = self;
        // SAFETY: structures name their sizes and are written by the calls that say so.
        unsafe {
            let style = GetWindowLongPtrW(*window, GWL_STYLE);
            let frame = WS_OVERLAPPEDWINDOW as isize;
            if let Some(placement) = before.take() {
                SetWindowLongPtrW(*window, GWL_STYLE, style | frame);
                let unchanged = SWP_NOMOVE | SWP_NOSIZE | SWP_NOZORDER | SWP_NOOWNERZORDER;
                let changes = unchanged | SWP_FRAMECHANGED;
                return SetWindowPlacement(*window, &raw const placement) != 0
                    && SetWindowPos(*window, std::ptr::null_mut(), 0, 0, 0, 0, changes) != 0;
            }
            let mut placement = WINDOWPLACEMENT {
                length: size_of::<WINDOWPLACEMENT>() as u32,
                ..WINDOWPLACEMENT::default()
            };
            let Some(screen) = self.area() else {
                return false;
            };
            if GetWindowPlacement(*window, &raw mut placement) == 0 {
                return false;
            }
            before.set(Some(placement));
            SetWindowLongPtrW(*window, GWL_STYLE, style & !frame);
            SetWindowPos(
                *window,
                std::ptr::null_mut(),
                screen.left,
                screen.top,
                screen.right - screen.left,
                screen.bottom - screen.top,
                SWP_NOZORDER | SWP_NOOWNERZORDER | SWP_FRAMECHANGED,
            ) != 0
        }
    }

    /// Where the screen under the window is among all screens.
    fn area(&self) -> Option<RECT> {
        // SAFETY: the structure names its size and is written by the call.
        unsafe {
            let monitor = MonitorFromWindow(self.window, MONITOR_DEFAULTTONEAREST);
            let mut about = MONITORINFO {
                cbSize: size_of::<MONITORINFO>() as u32,
                ..MONITORINFO::default()
            };
            (GetMonitorInfoW(monitor, &raw mut about) != 0).then_some(about.rcMonitor)
        }
    }

    /// True if the window is minimised.
    pub fn is_hidden(&self) -> bool {
        // SAFETY: a plain call.
        unsafe { IsIconic(self.window) != 0 }
    }

    /// Shows some lines of a picture of the window's width; false, and nothing is shown, where that does not work.
    pub fn show(&self, pixels: &[u32], width: usize, lines: Range<usize>) -> bool {
        show(self.window, pixels, width, lines)
    }

    /// Pictures a second of the desktop, which Windows puts together for all screens at once; `None` where that is not known.
    #[allow(clippy::unused_self)] // Other systems have a rate for each screen.
    pub fn rate(&self) -> Option<f64> {
        let mut about = DWM_TIMING_INFO {
            cbSize: size_of::<DWM_TIMING_INFO>() as u32,
            ..DWM_TIMING_INFO::default()
        };
        // SAFETY: the structure names its size and is written by the call; it is packed, so that its parts are copied.
        let known = unsafe { DwmGetCompositionTimingInfo(std::ptr::null_mut(), &raw mut about) };
        let refresh = about.rateRefresh;
        let rate = f64::from(refresh.uiNumerator) / f64::from(refresh.uiDenominator);
        (known == 0 && rate.is_finite() && rate > 1.0).then_some(rate)
    }

    /// Gives the window an icon.
    pub fn introduce(&self, size: usize, icon: &[u32]) {
        let side = size as i32;
        // SAFETY: the icon has as many pixels as it says, for its colours and for its mask of a bit for each.
        unsafe {
            let mask = vec![0; size.div_ceil(16) * 2 * size];
            let module = GetModuleHandleW(std::ptr::null());
            let made = CreateIcon(
                module,
                side,
                side,
                1,
                32,
                mask.as_ptr(),
                icon.as_ptr().cast(),
            );
            if !made.is_null() {
                for which in [ICON_BIG, ICON_SMALL] {
                    SendMessageW(self.window, WM_SETICON, which as usize, made as isize);
                }
            }
        }
    }
}

/// Shows some lines of a picture of the window's width; false, and nothing is shown, where that does not work.
pub fn show(window: HWND, pixels: &[u32], width: usize, lines: Range<usize>) -> bool {
    let Some(part) = pixels.get(lines.start * width..lines.end * width) else {
        return false;
    };
    let (across, down) = (width as u32, lines.len() as u32);
    let about = BITMAPINFO {
        bmiHeader: BITMAPINFOHEADER {
            biSize: size_of::<BITMAPINFOHEADER>() as u32,
            biWidth: across as i32,
            // From the top.
            biHeight: -(down as i32),
            biPlanes: 1,
            biBitCount: 32,
            biCompression: BI_RGB,
            ..BITMAPINFOHEADER::default()
        },
        ..BITMAPINFO::default()
    };
    // SAFETY: the picture has as many pixels as it says, and is only read.
    unsafe {
        let context = GetDC(window);
        if context.is_null() {
            return false;
        }
        let top = lines.start as i32;
        let data = part.as_ptr().cast();
        let shown = SetDIBitsToDevice(
            context,
            0,
            top,
            across,
            down,
            0,
            0,
            0,
            down,
            data,
            &raw const about,
            DIB_RGB_COLORS,
        );
        ReleaseDC(window, context);
        shown != 0 || part.is_empty()
    }
}
