//! Objects of JSON wherever they are nested: one, a list of them, or something else.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::marker::PhantomData;

/// Objects below a field, read in one pass with their line; anything else in their place is absent.
///
/// A `Field` is scanned once more for each level above what is wanted: cheap for what is mostly
/// passed over, dear for what every line holds.
#[derive(Debug, Default)]
pub(super) enum Nested<T> {
    One(T),
    Many(Vec<Nested<T>>),
    #[default]
    Other,
}

impl<T> Nested<T> {
    /// Returns the object, where it is one.
    pub(super) fn one(&self) -> Option<&T> {
        match self {
            Nested::One(one) => Some(one),
            Nested::Many(_) | Nested::Other => None,
        }
    }

    /// Returns the objects of a list.
    pub(super) fn many(&self) -> impl Iterator<Item = &T> {
        let all = match self {
            Nested::Many(all) => all.as_slice(),
            Nested::One(_) | Nested::Other => &[],
        };
        all.iter().filter_map(Nested::one)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Nested<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyShape(PhantomData))
    }
}

pub(super) struct AnyShape<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for AnyShape<T> {
    type Value = Nested<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Nested<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Nested::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Nested<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(element) = seq.next_element()? {
            all.push(element);
        }
        Ok(Nested::Many(all))
    }

    fn visit_unit<E>(self) -> Result<Nested<T>, E> {
        Ok(Nested::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Nested<T>, E> {
        Ok(Nested::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Nested<T>, E> {
        Ok(Nested::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Nested<T>, E> {
        Ok(Nested::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Nested<T>, E> {
        Ok(Nested::Other)
    }

    fn visit_str<E>(self, _: &str) -> Result<Nested<T>, E> {
        Ok(Nested::Other)
    }
}
