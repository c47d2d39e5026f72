//! The screen: text, colours, golden pictures; each with a program that is right and one that is wrong.
mod common;

use common::{Place, sentences};
use trial::run_all;

const QUIZ: &str = "10 PRINT \"3+5\";\n20 INPUT A\n30 IF A=8 THEN PRINT \"YES\":GOTO 50\n40 PRINT \"NO\"\n50 GOTO 50\n";

fn quiz(answer: &str) -> (Place, String) {
    let steps = format!(
        "steps = [{{ wait-text = \"3+5?\" }}, {{ type = \"{answer}\\n\" }}, {{ wait = 20 }},"
    );
    (Place::basic(QUIZ), steps)
}

#[test]
fn text_anywhere_in_a_row_or_as_a_whole() {
    let (place, steps) = quiz("8");
    let all = "{ screen = \"\"\"\n\n  READY\n  RUN\n  3+5?8\n  YES\"\"\" }";
    for expected in [
        "{ text = \"YES\" }",
        "{ no-text = \"NO\" }",
        "{ row = 4, is = \"  YES\" }",
        all,
    ] {
        place.passes(&format!("{steps} {expected}]"));
    }
    let (place, steps) = quiz("9");
    for (expected, sentence) in [
        ("{ text = \"YES\" }", "the screen does not show \"YES\""),
        ("{ no-text = \"NO\" }", "the screen shows \"NO\""),
        (
            "{ row = 4, is = \"  YES\" }",
            "row 4 of the screen is \"  NO\", not \"  YES\"",
        ),
        (all, "row 3 of the screen is \"  3+5?9\", not \"  3+5?8\""),
    ] {
        place.fails(&format!("{steps} {expected}]"), sentence);
    }
}

#[test]
fn a_wait_for_text_ends_the_test_where_it_never_comes() {
    let place = Place::basic("10 GOTO 10\n");
    place.fails(
        "steps = [{ wait-text = \"3+5?\", within = 300 }, { text = \"YES\" }]",
        "the screen never showed \"3+5?\" in 300 frames",
    );
    place.fails(
        "frames = 400\nsteps = [{ wait-text = \"3+5?\" }]",
        "in 400 frames",
    );
    place.fails(
        "frames = 100\nsteps = [{ wait = 200 }]",
        "the 100 frames of this test have run",
    );
}

/// A background in this colour, and nothing else.
fn background(colour: u8) -> Place {
    Place::assembled(&format!(
        "sei\nlda #0\nsta NMIEN\nsta DMACTL\nlda #${colour:02X}\nloop: sta COLBK\njmp loop"
    ))
}

#[test]
fn the_colour_of_a_pixel() {
    let test = "steps = [{ wait = 200 }, { pixel = [100, 100], colour = 0x34 }]";
    background(0x34).passes(test);
    background(0x36).fails(test, "the pixel at 100, 100 has colour $36, not $34");
}

#[test]
fn a_golden_picture_is_written_compared_and_its_differences_drawn() {
    let place = background(0x34);
    let test = "steps = [{ wait = 200 }, { picture = \"title-{tv}.png\" }]";
    place.fails(test, "title-ntsc.png yet; --bless writes it");
    let bless = trial::Options {
        bless: true,
        ..place.options()
    };
    assert_eq!(run_all(&bless).unwrap().failed(), 0);
    place.passes(test);
    let golden = std::fs::read(place.path("title-ntsc.png")).unwrap();
    assert!(!place.path("title-ntsc.diff.png").exists());

    // One pixel line of another colour.
    place.assemble("sei\nlda #0\nsta NMIEN\nsta DMACTL\nloop: lda #$34\nldx VCOUNT\ncpx #60\nbne put\nlda #$94\nput: sta WSYNC\nsta COLBK\njmp loop");
    place.fails(
        test,
        "in 752 pixels, first at 362, 112: colour $94, not $34; ",
    );
    assert!(place.path("title-ntsc.diff.png").exists());
    let summary = place.run();
    let titles: Vec<&str> = summary.results[0]
        .shown
        .iter()
        .map(|shown| shown.title.as_str())
        .collect();
    assert_eq!(titles, ["expected", "picture", "difference"]);
    assert_eq!(std::fs::read(place.path("title-ntsc.png")).unwrap(), golden);
    // A new golden picture takes the difference away.
    assert_eq!(run_all(&bless).unwrap().failed(), 0);
    assert!(!place.path("title-ntsc.diff.png").exists());
    place.passes(test);

    std::fs::write(place.path("title-ntsc.png"), b"no picture").unwrap();
    let error = run_all(&place.options()).unwrap_err().to_string();
    assert!(error.ends_with("title-ntsc.png: this is no golden picture: 376 by 240 pixels with indexed colour, as --bless writes it"), "{error}");
}

#[test]
fn the_matrix_runs_a_test_on_every_machine() {
    // The colour is that of the television system: PAL reads 1 in bits 1 to 3.
    let place = Place::assembled(
        "sei\nlda #0\nsta NMIEN\nsta DMACTL\nlda $D014\nand #$0E\nora #$30\nloop: sta COLBK\njmp loop",
    );
    let head = "[matrix]\ntv = [\"ntsc\", \"pal\"]\nmachine = [\"800xl\", \"400\"]";
    place.test(
        head,
        "steps = [{ wait = 200 }, { pixel = [1, 1], colour = 0x3E }]",
    );
    let results = place.run().results;
    let failed: Vec<&str> = results
        .iter()
        .filter(|r| !r.problems.is_empty())
        .map(|r| r.machine.as_str())
        .collect();
    assert_eq!((results.len(), failed), (4, vec!["800xl, pal", "400, pal"]));
    assert!(sentences(&results)[0].contains("has colour $30, not $3E"));
}

#[test]
fn seeds_differ_in_what_memory_holds_at_power_on() {
    // RAM under the ROM, which the OS does not clear.
    let place =
        Place::assembled("sei\nlda #0\nsta NMIEN\nlda PORTB\nand #$FE\nsta PORTB\nloop: jmp loop");
    let seeds: Vec<String> = (0..16).map(|n| n.to_string()).collect();
    let head = format!(
        "options = [\"--memory\", \"random\"]\n[matrix]\nseed = [{}]",
        seeds.join(", ")
    );
    place.test(
        &head,
        "steps = [{ wait-for = \"loop\" }, { expect = \"[$E000] < 128\" }]",
    );
    let summary = place.run();
    assert_eq!(summary.results.len(), 16);
    assert!((1..16).contains(&summary.failed()), "{}", summary.failed());
}
