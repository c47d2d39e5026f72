//! The host's clipboard.
use arboard::{Clipboard as Host, Error};

/// The clipboard, opened when it is first used. On X11 what was copied is there as long as the program runs.
#[derive(Default)]
pub struct Clipboard(Option<Host>);

impl Clipboard {
    fn host(&mut self) -> Result<&mut Host, String> {
        match &mut self.0 {
            Some(host) => Ok(host),
            empty => Host::new()
                .map(|host| empty.insert(host))
                .map_err(|error| format!("the clipboard cannot be reached: {error}")),
        }
    }

    /// The text in it.
    ///
    /// # Errors
    /// One sentence on why there is none.
    pub fn text(&mut self) -> Result<String, String> {
        match self.host()?.get_text() {
            Ok(text) if text.is_empty() => Err("the clipboard is empty".to_owned()),
            Ok(text) => Ok(text),
            Err(Error::ContentNotAvailable) => Err("there is no text in the clipboard".to_owned()),
            Err(error) => Err(format!("the clipboard cannot be read: {error}")),
        }
    }

    /// Puts a text into it.
    ///
    /// # Errors
    /// One sentence on why not.
    pub fn set_text(&mut self, text: String) -> Result<(), String> {
        self.host()?
            .set_text(text)
            .map_err(|error| format!("the clipboard cannot be written: {error}"))
    }
}
