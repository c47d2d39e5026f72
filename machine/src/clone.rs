//! Copies of machines.

/// `Clone`, field by field. A derived one would make a new value where [`Clone::clone_from`] can use the memory that is there.
///
/// The largest field is named last: the compiler makes only that one in its place, and moves the others there.
macro_rules! clone_by_fields {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl Clone for $type {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),* }
            }

            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)*
            }
        }
    };
}

pub(crate) use clone_by_fields;
