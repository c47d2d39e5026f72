//! Starts BASIC, types a line, prints the screen: `cargo run -p session --example type_and_read`.
use session::{Session, Setup};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut session = Session::new(Setup::default())?;
    session.type_text("PRINT \"THE SQUARE ROOT OF 2 IS \";SQR(2)\\n")?;
    // Until everything is typed and BASIC waits for the next line.
    session.watch = true;
    while !(session.is_idle() && session.is_waiting()) {
        session.run_frame();
        assert!(session.frames() < 3600, "BASIC does not answer");
    }
    print!("{}", session.text());
    assert!(session.text().contains("1.41421356"));
    Ok(())
}
