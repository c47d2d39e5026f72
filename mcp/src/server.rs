//! The tools of the protocol: the arguments of each, and the requests that can follow.
use crate::desk::{Answer, Desk, Request, Wanted};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use debugger::Interrupt;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, Implementation, ServerCapabilities, ServerConfig};
use rmcp::{ErrorData, ServerHandler, schemars, tool, tool_handler, tool_router};
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;
use tokio::sync::oneshot;
use trial::Fence;

/// After this time what runs is interrupted, and the answer says how far it came.
const PATIENCE: Duration = Duration::from_secs(60);
/// Frames that are run when none are named.
const FRAMES: u64 = 600;

/// The first text that a client gets.
const INSTRUCTIONS: &str = "\
An Atari 400/800/XL/XE, emulated cycle by cycle, with a debugger that goes back in time. Load a program of the folder (or a built-in one) first. \
Time stands still between requests. Places are labels, lines of source (main.s:41), addresses ($2000); expressions are C's over labels, registers \
and memory ([lives] is a byte, w[score] a word). A picture has 376 by 240 pixels. To find what is wrong with a picture: look, ask why for a pixel, \
who for an address, dlis and lint for display list interrupts. Step back whenever something went too far; assemble changes code, and the future \
before the change is kept. Tests of the folder say whether it is right.";

type Reply = oneshot::Sender<Result<Answer, String>>;

/// The server of one client.
#[derive(Clone)]
pub struct Server {
    desk: Sender<(Request, Reply)>,
    interrupt: Interrupt,
    #[expect(dead_code, reason = "the macro of the handler reads it")]
    tool_router: ToolRouter<Self>,
}

/// A program.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Load {
    /// A file of the folder (.xex .bas .lst .atr .cas .car .rom ...) or a built-in program: basic, gammon, ...
    program: String,
    /// Options of the machine: --tv pal, --machine 130xe, --disk data.atr, each word for itself
    #[serde(default)]
    options: Vec<String>,
}

/// A text.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Text {
    /// \n is RETURN, {clear}, {ctrl-c} and the like are keys by name
    text: String,
}

/// A key.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Press {
    /// key a, key return, joystick 1 left, paddle 0 114, light-pen 188 120, trak-ball 5 -3, light-pen trigger, start, select, option, break, reset; held for three frames, or with press or release after it
    what: String,
}

/// A text, a place or a condition; none of them for frames only.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct WaitFor {
    /// A text on the screen
    text: Option<String>,
    /// A label, line or address that is reached
    place: Option<String>,
    /// An expression that is true at the end of a frame
    condition: Option<String>,
    /// Frames at most (600)
    frames: Option<u64>,
}

/// The text, the picture, or both.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Look {
    /// text, picture or both (default: both)
    what: Option<String>,
}

/// A place, and lines from there.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Place {
    /// A label, line, address or expression; disassembly: where the machine stands when it is left out
    address: Option<String>,
    /// Lines (8 of memory, 12 of code)
    lines: Option<u32>,
}

/// Breakpoints.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Breakpoints {
    /// Sets one: a place; read, write or access ADDRESS; dli, routine, vbi, irq; beam LINE CYCLE; uninitialised; stack; with if EXPRESSION, after N, once
    set: Option<String>,
    /// Removes one by its number, or all
    clear: Option<String>,
}

/// A step.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Step {
    /// into, over, out, next (line of source), cycle, line (scan line), frame, dli, routine, dliend, vbi, statement, basicline, to PLACE, pixel X Y, run FRAMES
    step: String,
    /// Backwards in recorded time; of run: to the last breakpoint
    #[serde(default)]
    back: bool,
}

/// A pixel.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Pixel {
    /// 0 to 375
    x: u16,
    /// 0 to 239
    y: u16,
}

/// An address.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Address {
    /// A label, register of the hardware, address, or range A-B
    address: String,
}

/// A command.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Command {
    /// A line as at the debugger's prompt; help lists the commands
    line: String,
}

/// Code.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Assemble {
    /// Where the first line goes
    address: String,
    /// Instructions, one each: LDA #$0E, STA COLBK, BNE LOOP, .BYTE $70,$70
    lines: Vec<String>,
}

/// Tests.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Tests {
    /// A file of tests or a folder (default: the whole folder)
    path: Option<String>,
    /// Only tests with this text in their names
    only: Option<String>,
    /// Writes golden pictures as they are now
    #[serde(default)]
    bless: bool,
}

/// A file.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct FileName {
    /// A listing or SAVE file of the folder
    file: String,
}

type Result1 = Result<CallToolResult, ErrorData>;

#[tool_router]
impl Server {
    /// A server for the programs of a folder.
    pub fn new(folder: PathBuf, fence: Fence) -> Self {
        let (sender, requests) = channel::<(Request, Reply)>();
        let interrupt = Interrupt::default();
        let asked = interrupt.clone();
        // The machine stays on this thread; it ends when the last server has gone.
        std::thread::spawn(move || {
            let mut desk = Desk::new(folder, fence, asked);
            while let Ok((request, reply)) = requests.recv() {
                // A client that has gone needs no answer.
                let _ = reply.send(desk.answer(request));
            }
        });
        Self {
            desk: sender,
            interrupt,
            tool_router: Self::tool_router(),
        }
    }

    /// Hands a request to the machine's thread; `next` is the list of requests that can follow it.
    async fn ask(&self, request: Request, next: &str) -> Result1 {
        let gone = || ErrorData::internal_error("the machine has ended", None);
        let (reply, mut answer) = oneshot::channel();
        self.desk.send((request, reply)).map_err(|_| gone())?;
        let soon = tokio::time::timeout(PATIENCE, &mut answer).await;
        let answer = if let Ok(answer) = soon {
            answer
        } else {
            self.interrupt.request();
            answer.await
        };
        Ok(match answer.map_err(|_| gone())? {
            Ok(answer) => {
                let text = format!("{}\n\nNext: {next}", answer.text);
                let mut content = vec![ContentBlock::text(text)];
                if let Some(picture) = answer.picture {
                    content.push(ContentBlock::image(STANDARD.encode(picture), "image/png"));
                }
                CallToolResult::success(content)
            }
            Err(sentence) => CallToolResult::error(vec![ContentBlock::text(sentence)]),
        })
    }

    #[tool(
        description = "Switch on a machine with a program in it, and run until the program has begun. What was loaded before is gone."
    )]
    async fn load(&self, Parameters(Load { program, options }): Parameters<Load>) -> Result1 {
        let next = "look, wait_for, breakpoints, or step.";
        self.ask(Request::Load(program, options), next).await
    }

    #[tool(
        name = "type",
        description = "Type a text; each key is pressed when the program waits for one. Answers with the screen's text, once that stays the same for a fifth of a second, a second later at most."
    )]
    async fn type_text(&self, Parameters(Text { text }): Parameters<Text>) -> Result1 {
        self.ask(Request::Type(text), "wait_for a text, or look.")
            .await
    }

    #[tool(
        description = "Press a key, a console key or a joystick, or use paddles and pointing devices."
    )]
    async fn press(&self, Parameters(Press { what }): Parameters<Press>) -> Result1 {
        self.ask(Request::Press(what), "wait_for what it does, or look.")
            .await
    }

    #[tool(
        description = "Run until a text is on the screen, a place is reached or a condition is true, or a number of frames (60 a second on NTSC, 50 on PAL)."
    )]
    async fn wait_for(&self, Parameters(wait): Parameters<WaitFor>) -> Result1 {
        let wanted = match (wait.text, wait.place, wait.condition) {
            (Some(text), None, None) => Wanted::Text(text),
            (None, Some(place), None) => Wanted::Place(place),
            (None, None, Some(condition)) => Wanted::Condition(condition),
            (None, None, None) => Wanted::Frames,
            _ => {
                let sentence = "one of text, place and condition is wanted";
                return Ok(CallToolResult::error(vec![ContentBlock::text(sentence)]));
            }
        };
        let next = "look; disassembly and memory show where it stands; step goes on or back.";
        self.ask(
            Request::WaitFor(wanted, wait.frames.unwrap_or(FRAMES)),
            next,
        )
        .await
    }

    #[tool(description = "The screen: its text, and its picture as a PNG.")]
    async fn look(&self, Parameters(Look { what }): Parameters<Look>) -> Result1 {
        let (text, picture) = match what.as_deref() {
            None | Some("both") => (true, true),
            Some("text") => (true, false),
            Some("picture") => (false, true),
            Some(_) => {
                let sentence = "what is text, picture or both";
                return Ok(CallToolResult::error(vec![ContentBlock::text(sentence)]));
            }
        };
        self.ask(
            Request::Look(text, picture),
            "why for a pixel that is wrong.",
        )
        .await
    }

    #[tool(description = "Bytes of memory as they are now, with their characters.")]
    async fn memory(&self, Parameters(Place { address, lines }): Parameters<Place>) -> Result1 {
        let line = format!("mem {} {}", address.unwrap_or_default(), lines.unwrap_or(8));
        self.ask(Request::Command(line), "who says what stored a byte last.")
            .await
    }

    #[tool(
        description = "Instructions with labels and lines of source; the arrow is where the machine stands."
    )]
    async fn disassembly(
        &self,
        Parameters(Place { address, lines }): Parameters<Place>,
    ) -> Result1 {
        let line = match address {
            Some(address) => format!("code {address} {}", lines.unwrap_or(12)),
            None => "code".to_owned(),
        };
        self.ask(
            Request::Command(line),
            "breakpoints at one of these, step, or assemble over them.",
        )
        .await
    }

    #[tool(description = "Set, remove and list breakpoints; a run stops before what they name.")]
    async fn breakpoints(
        &self,
        Parameters(Breakpoints { set, clear }): Parameters<Breakpoints>,
    ) -> Result1 {
        let line = match (set, clear) {
            (Some(place), None) => format!("break {place}"),
            (None, Some(number)) => format!("clear {number}"),
            (None, None) => "breaks".to_owned(),
            _ => {
                let sentence = "set and clear are two requests";
                return Ok(CallToolResult::error(vec![ContentBlock::text(sentence)]));
            }
        };
        self.ask(
            Request::Command(line),
            "step with run goes to the next one, and with back to the last one.",
        )
        .await
    }

    #[tool(
        description = "A step forwards, or backwards in recorded time. Answers where the machine stands then."
    )]
    async fn step(&self, Parameters(Step { step, back }): Parameters<Step>) -> Result1 {
        let run = step
            .split_whitespace()
            .next()
            .is_some_and(|word| word == "run");
        let line = match (back, run) {
            (true, true) => "back".to_owned(),
            (true, false) => format!("back {step}"),
            (false, _) => step,
        };
        self.ask(
            Request::Command(line),
            "memory, disassembly, why; a step with back undoes it.",
        )
        .await
    }

    #[tool(
        description = "Why a pixel of the picture is as it is: playfield or object, its data, and the store that set its colour, with line and cycle."
    )]
    async fn why(&self, Parameters(Pixel { x, y }): Parameters<Pixel>) -> Result1 {
        let next = "who for a register it names; dlis when a display list interrupt set it.";
        self.ask(Request::Command(format!("why {x} {y}")), next)
            .await
    }

    #[tool(description = "The last store into an address or register: when, by which line.")]
    async fn who(&self, Parameters(Address { address }): Parameters<Address>) -> Result1 {
        let next = "debugger with goto MOMENT goes there; stores lists all; origin follows copies.";
        self.ask(Request::Command(format!("who {address}")), next)
            .await
    }

    #[tool(
        description = "The display list interrupts of the last frame: when each was asked for, began and ended, its stores, what is left until the next, and what looks wrong."
    )]
    async fn dlis(&self) -> Result1 {
        let next = "step with routine goes to the next one's first instruction, dliend to its end; times are LINE.CYCLE.";
        self.ask(Request::Command("dlis".to_owned()), next).await
    }

    #[tool(
        description = "What looks wrong with the interrupts of the last frame: overruns, stores inside a line, registers that are not restored."
    )]
    async fn lint(&self) -> Result1 {
        self.ask(
            Request::Lint,
            "dlis has the stores with their times; why says what a pixel got of them.",
        )
        .await
    }

    #[tool(
        description = "Any command of the debugger's prompt: print, origin, stores, map, strip, dlist, antic, gtia, pokey, poke, set, profile, trace, basic, when, goto, help."
    )]
    async fn debugger(&self, Parameters(Command { line }): Parameters<Command>) -> Result1 {
        self.ask(Request::Command(line), "help lists all commands.")
            .await
    }

    #[tool(
        description = "Assemble instructions into memory, where the machine stands now. The change is part of recorded time."
    )]
    async fn assemble(
        &self,
        Parameters(Assemble { address, lines }): Parameters<Assemble>,
    ) -> Result1 {
        let next = "wait_for some frames, then lint, dlis or look. The file of the program is not changed: carry it over into its source.";
        self.ask(Request::Assemble(address, lines), next).await
    }

    #[tool(
        description = "Run tests of the folder, each in a machine of its own: programs as they are built now; build commands of the files are not run."
    )]
    async fn run_tests(
        &self,
        Parameters(Tests { path, only, bless }): Parameters<Tests>,
    ) -> Result1 {
        let path = path.unwrap_or_else(|| ".".to_owned());
        let next = "load the program and go where it fails.";
        self.ask(Request::Tests(path, only, bless), next).await
    }

    #[tool(description = "Look for errors in a BASIC listing or SAVE file.")]
    async fn basic_check(&self, Parameters(FileName { file }): Parameters<FileName>) -> Result1 {
        self.ask(Request::BasicCheck(file), "load it.").await
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("anticlock", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }
}
