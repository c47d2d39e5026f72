//! The program in a window on an X server of its own, with keys and mouse.
use super::{Folder, Running, anticlock, display_with, installed, wait_for};
use std::process::{Command, Stdio};

/// The desk; everything ends with it.
pub struct Desk {
    pub folder: Folder,
    pub display: String,
    /// The window's number.
    pub window: String,
    pub program: Running,
    _server: Running,
}

impl Desk {
    /// Opens `anticlock` with these arguments in a folder with these files; `None` without the tools.
    pub fn new(name: &str, arguments: &[&str], files: &[(&str, &[u8])]) -> Option<Self> {
        Self::on(&[], name, arguments, files)
    }

    /// Like [`Self::new`], with these arguments for the X server.
    pub fn on(
        server: &[&str],
        name: &str,
        arguments: &[&str],
        files: &[(&str, &[u8])],
    ) -> Option<Self> {
        let tools = ["Xvfb", "xdotool", "xclip", "import"];
        if !tools.into_iter().all(installed) {
            return None;
        }
        let folder = Folder::new(name);
        for (name, bytes) in files {
            folder.file(name, bytes);
        }
        let (server, display) = display_with(server);
        let program = anticlock(&folder.0)
            .args(arguments)
            .arg("--mute")
            .env("DISPLAY", &display)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut desk = Self {
            folder,
            display,
            window: String::new(),
            program: Running(program),
            _server: server,
        };
        desk.window = desk.find("Anticlock");
        desk.focus();
        Some(desk)
    }

    /// Runs an X tool; its output.
    pub fn tool(&self, program: &str, arguments: &[&str]) -> Vec<u8> {
        Command::new(program)
            .args(arguments)
            .env("DISPLAY", &self.display)
            .output()
            .unwrap()
            .stdout
    }

    /// The number of the window with this name.
    pub fn find(&self, name: &str) -> String {
        wait_for(name, || {
            let found = self.tool("xdotool", &["search", "--name", name]);
            let found = String::from_utf8(found).unwrap();
            found.lines().next().map(str::to_owned)
        })
    }

    /// Gives the window the keyboard.
    pub fn focus(&self) {
        self.tool("xdotool", &["windowfocus", &self.window]);
    }

    /// Does something with a key: `keydown`, `keyup` or `key`.
    pub fn key(&self, action: &str, key: &str) {
        self.tool("xdotool", &[action, "--window", &self.window, key]);
    }

    /// Taps keys, each perhaps with one modifier: `alt+f`.
    pub fn tap(&self, keys: &[&str]) {
        for key in keys {
            let (modifier, key) = key.split_once('+').unwrap_or(("", key));
            if !modifier.is_empty() {
                self.key("keydown", modifier);
            }
            self.key("key", key);
            if !modifier.is_empty() {
                self.key("keyup", modifier);
            }
        }
    }

    /// The colour in the middle of the window as the screen has it.
    pub fn colour(&self) -> [u8; 3] {
        self.pixel(&["-gravity", "center", "-crop", "1x1+0+0"])
    }

    /// The colour of a pixel of the window as the screen has it.
    pub fn colour_at(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixel(&["-crop", &format!("1x1+{x}+{y}")])
    }

    fn pixel(&self, which: &[&str]) -> [u8; 3] {
        let arguments = [&["-window", &self.window], which, &["-depth", "8", "rgb:-"]];
        let pixel = self.tool("import", &arguments.concat());
        pixel.get(..3).map_or([0; 3], |p| [p[0], p[1], p[2]])
    }

    /// Waits until the middle of the window has the colour of this number (NTSC).
    pub fn wait_for_colour(&self, what: &str, number: u8) {
        let wanted = session::picture::palette(machine::Tv::Ntsc)[usize::from(number)];
        wait_for(what, || (self.colour() == wanted).then_some(()));
    }
}
