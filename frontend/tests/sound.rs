//! The sound that comes out of the system: recorded from a sound server with a sink that plays into nothing.
#![cfg(all(feature = "sound", target_os = "linux"))]
mod common;

use common::{
    Folder, Running, TONE, anticlock, coloured, display, installed, periods, tone, wait_for,
};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Samples a second of the sink.
const RATE: f64 = 48_000.0;

/// A sample that is not silence.
const LOUD: u16 = 500;
/// Tenths of a second of silence after which there is nothing to wait for.
const PATIENCE: usize = 200;

struct Host {
    folder: Folder,
    display: String,
    _server: Running,
    sound_server: Option<Running>,
}

/// An X server of our own, and no sound.
fn silent_host(name: &str) -> Option<Host> {
    if !installed("Xvfb") {
        return None;
    }
    let folder = Folder::new(name);
    let (server, display) = display();
    Some(Host {
        display,
        _server: server,
        sound_server: None,
        folder,
    })
}

/// An X server and a PulseAudio server of our own.
fn host(name: &str) -> Option<Host> {
    if !["pulseaudio", "pactl", "parec"].into_iter().all(installed) {
        return None;
    }
    let mut host = silent_host(name)?;
    host.start_sound_server();
    Some(host)
}

impl Host {
    /// Starts the sound server, and waits for its sink.
    fn start_sound_server(&mut self) {
        let sound = with_home(Command::new("pulseaudio"), &self.folder.0)
            .args([
                "-n",
                "--daemonize=no",
                "--exit-idle-time=-1",
                "--load=module-native-protocol-unix",
            ])
            .arg("--load=module-null-sink sink_name=nothing rate=48000")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.sound_server = Some(Running(sound));
        wait_for("the sound server", || {
            let answer = with_home(Command::new("pactl"), &self.folder.0)
                .arg("info")
                .output()
                .ok()?;
            String::from_utf8_lossy(&answer.stdout)
                .contains("Default Sink: nothing")
                .then_some(())
        });
    }

    /// Waits until a program plays, or until none does.
    fn wait_for_stream(&self, wanted: bool) {
        wait_for("a stream to the sound server, or its end", || {
            let list = with_home(Command::new("pactl"), &self.folder.0)
                .args(["list", "short", "sink-inputs"])
                .output()
                .ok()?;
            (list.stdout.is_empty() != wanted).then_some(())
        });
    }
}

fn with_home(mut command: Command, folder: &Path) -> Command {
    command
        .env("HOME", folder)
        .env("XDG_RUNTIME_DIR", folder)
        .env("XDG_CONFIG_HOME", folder.join(".config"));
    command
        .env_remove("PULSE_SERVER")
        .env_remove("DBUS_SESSION_BUS_ADDRESS");
    command
}

impl Host {
    /// Plays a program in a window and records `seconds` of the sink's input.
    fn record(&self, program: &[u8], seconds: u64) -> Vec<f64> {
        self.folder.file("p.xex", program);
        let _playing = Running(
            with_home(anticlock(&self.folder.0), &self.folder.0)
                .args(["p.xex", "--scale", "1"])
                .env("DISPLAY", &self.display)
                // The sound server's own protocol is used, not ALSA and a plug-in of it.
                .env("ALSA_CONFIG_PATH", "/nonexistent")
                .stderr(Stdio::null())
                .spawn()
                .unwrap(),
        );
        self.wait_for_stream(true);
        // The machine starts, loads the program and fills the ring.
        std::thread::sleep(Duration::from_secs(4));
        let mut recorder = with_home(Command::new("parec"), &self.folder.0)
            .args([
                "-d",
                "nothing.monitor",
                "--format=s16le",
                "--rate=48000",
                "--channels=1",
                "--raw",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map(Running)
            .unwrap();
        let mut sound = recorder.0.stdout.take().unwrap();
        let mut bytes = vec![0; (RATE * seconds as f64) as usize * 2];
        let mut tenth = vec![0; RATE as usize / 10 * 2];
        // A busy host may take longer to start: silence at the beginning is not recorded.
        for _ in 0..PATIENCE {
            sound.read_exact(&mut tenth).unwrap();
            let loud = |b: &[u8]| i16::from_le_bytes([b[0], b[1]]).unsigned_abs() > LOUD;
            if tenth.chunks_exact(2).any(loud) {
                break;
            }
        }
        sound.read_exact(&mut bytes).unwrap();
        bytes
            .chunks_exact(2)
            .map(|b| f64::from(i16::from_le_bytes([b[0], b[1]])))
            .collect()
    }
}

#[test]
fn a_tone_comes_out_at_its_frequency() {
    let Some(host) = host("tone") else { return };
    let samples = host.record(&tone(), 5);
    let mut periods = periods(&samples);
    assert!(
        periods.len() > 1000,
        "only {} periods: silence?",
        periods.len()
    );
    periods.sort_by(f64::total_cmp);
    let frequency = RATE / periods[periods.len() / 2];
    // The rate control may be half a percent away for a while.
    assert!(
        (frequency / TONE - 1.0).abs() < 0.006,
        "{frequency} Hz instead of {TONE}"
    );
    // A busy host may make it stumble, but nearly every period is whole.
    let whole = periods
        .iter()
        .filter(|&&p| (p * frequency / RATE - 1.0).abs() < 0.03)
        .count();
    assert!(
        whole as f64 > periods.len() as f64 * 0.95,
        "{whole} of {} periods are whole",
        periods.len()
    );
}

#[test]
fn a_silent_program_gives_silence() {
    let Some(host) = host("silence") else { return };
    let samples = host.record(&coloured(), 2);
    let loudest = samples
        .iter()
        .fold(0.0, |loudest: f64, s| loudest.max(s.abs()));
    assert!(loudest < 200.0, "loudest sample {loudest}");
}

/// A program that was started in silence opens the sound when the user wants it; a sound server that ends and comes back is found again.
#[test]
fn sound_comes_when_it_is_wanted_and_comes_back_with_its_server() {
    let Some(mut host) = host("again") else {
        return;
    };
    if !installed("xdotool") {
        return;
    }
    host.folder.file("p.xex", &tone());
    let _playing = Running(
        with_home(anticlock(&host.folder.0), &host.folder.0)
            .args(["p.xex", "--scale", "1", "--mute"])
            .env("DISPLAY", &host.display)
            .env("ALSA_CONFIG_PATH", "/nonexistent")
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let tool = |arguments: &[&str]| {
        let done = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &host.display)
            .output()
            .unwrap();
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    let window = wait_for("the window", || {
        let found = tool(&["search", "--name", "Anticlock"]);
        (!found.is_empty()).then_some(found)
    });
    std::thread::sleep(Duration::from_secs(3));
    host.wait_for_stream(false);
    tool(&["windowfocus", "--sync", &window]);
    tool(&["key", "--delay", "150", "alt+m"]);
    host.wait_for_stream(true);
    // The old server's socket goes with it.
    host.sound_server = None;
    std::thread::sleep(Duration::from_secs(3));
    host.start_sound_server();
    host.wait_for_stream(true);
}

#[test]
fn without_a_sound_device_it_says_so_once_and_plays_on() {
    let Some(host) = silent_host("no-device") else {
        return;
    };
    host.folder.file(
        ".asoundrc",
        b"pcm.!default { type hw card 77 }\nctl.!default { type hw card 77 }\n",
    );
    host.folder.file("p.xex", &coloured());
    let mut playing = Running(
        with_home(anticlock(&host.folder.0), &host.folder.0)
            .args(["p.xex", "--scale", "1"])
            .env("DISPLAY", &host.display)
            .stderr(std::fs::File::create(host.folder.0.join("said")).unwrap())
            .spawn()
            .unwrap(),
    );
    let read = || std::fs::read_to_string(host.folder.0.join("said")).unwrap();
    wait_for("what it says", || (!read().is_empty()).then_some(()));
    std::thread::sleep(Duration::from_secs(2));
    assert!(playing.0.try_wait().unwrap().is_none(), "it ended");
    let said = read();
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("running without sound"), "{said}");
}
