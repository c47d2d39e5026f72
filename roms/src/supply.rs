//! The images as a program gets them. In a page of the web they are a file of their own, which loads beside the program.
use crate::{BASIC, OS_800, OS_XL};
use std::sync::OnceLock;

static SUPPLIED: OnceLock<[&'static [u8]; 3]> = OnceLock::new();

/// The images as one file, for [`supply`].
#[must_use]
pub fn pack() -> Vec<u8> {
    [OS_XL, OS_800, BASIC].concat()
}

/// Brings the images into a page of the web. False when it is not that file, or has been there before.
#[must_use]
pub fn supply(file: Vec<u8>) -> bool {
    let file: &'static [u8] = file.leak();
    let images = file.split_at_checked(0x4000).and_then(|(xl, rest)| {
        rest.split_at_checked(0x2800)
            .map(|(old, rest)| [xl, old, rest])
    });
    images.is_some_and(|images| images[2].len() == 0x2000 && SUPPLIED.set(images).is_ok())
}

fn image(number: usize, built_in: &'static [u8]) -> &'static [u8] {
    if cfg!(target_arch = "wasm32") {
        SUPPLIED.get().map_or(&[], |images| images[number])
    } else {
        built_in
    }
}

/// [`OS_XL`]; in a page of the web what [`supply`] has brought.
#[must_use]
pub fn os_xl() -> &'static [u8] {
    image(0, OS_XL)
}

/// [`OS_800`], likewise.
#[must_use]
pub fn os_800() -> &'static [u8] {
    image(1, OS_800)
}

/// [`BASIC`], likewise.
#[must_use]
pub fn basic() -> &'static [u8] {
    image(2, BASIC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_the_same_images() {
        assert!(!supply(pack()[1..].to_vec()));
        assert!(supply(pack()));
        assert_eq!(SUPPLIED.get(), Some(&[OS_XL, OS_800, BASIC]));
        assert_eq!((os_xl(), os_800(), basic()), (OS_XL, OS_800, BASIC));
    }
}
