//! Pages as they were shown last: of hundreds that fetch themselves anew after a change, each is rendered once.

use super::http_request::Fields;
use gatewalk_core::parallel::locked;
use maud::{Markup, PreEscaped};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The most pages that are kept.
const MOST_KEPT: usize = 32;
/// The longest that is kept, in bytes.
const LONGEST: usize = 256 << 10;

/// A path with its query.
type PageAddress = (String, Fields);

/// A page, and the state of all repositories that it shows.
type KeptPage = Arc<Mutex<Option<(u64, Arc<str>)>>>;

/// A page that was just rendered.
pub(super) struct RenderedPage {
    pub(super) page: Markup,
    /// Whether nothing that belongs on it could not be read.
    pub(super) is_whole: bool,
}

/// The pages that were shown last, by their addresses.
#[derive(Default)]
pub(super) struct RenderedPages(Mutex<HashMap<PageAddress, KeptPage>>);

impl RenderedPages {
    /// Returns a page as it is in a state. Who asks for the same at the same time waits for one rendering; what cannot be
    /// rendered is tried again for each, and so is what `is_whole` says no to.
    pub(super) fn page<E>(
        &self,
        address: (&str, &Fields),
        state: u64,
        render: impl FnOnce() -> Result<RenderedPage, E>,
    ) -> Result<Markup, E> {
        let place = self.place_of(address);
        let mut kept = locked(&place);
        if let Some((shown, page)) = &*kept
            && *shown == state
        {
            return Ok(PreEscaped(page.to_string()));
        }
        let RenderedPage { page, is_whole } = render()?;
        let keeps = is_whole && page.0.len() <= LONGEST;
        *kept = keeps.then(|| (state, page.0.as_str().into()));
        Ok(page)
    }

    fn place_of(&self, (path, query): (&str, &Fields)) -> KeptPage {
        let mut all = locked(&self.0);
        let address = (path.to_owned(), query.clone());
        if all.len() >= MOST_KEPT && !all.contains_key(&address) {
            all.clear();
        }
        Arc::clone(all.entry(address).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A site's pages, and how often one was rendered.
    #[derive(Default)]
    struct Shown {
        pages: RenderedPages,
        times: AtomicUsize,
    }

    impl Shown {
        /// Shows a page that would be this text, which is what was shown, and whether it was rendered for that.
        fn show(&self, query: &str, state: u64, text: &str) -> (String, bool) {
            let before = self.times.load(Ordering::Relaxed);
            let render = || {
                self.times.fetch_add(1, Ordering::Relaxed);
                match text {
                    "failed" => Err(()),
                    text => Ok(RenderedPage {
                        page: PreEscaped(text.to_owned()),
                        is_whole: text != "in part",
                    }),
                }
            };
            let query = Fields::parse(query.as_bytes());
            let page = self.pages.page(("/unit", &query), state, render);
            let shown = page.map_or("failed".to_owned(), |page| page.0);
            (shown, self.times.load(Ordering::Relaxed) > before)
        }
    }

    #[test]
    fn a_page_is_rendered_once_for_all_who_look_at_the_same_state() {
        let site = Shown::default();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(site.show("id=a", 1, "one").0, "one"));
            }
        });
        assert_eq!(site.times.load(Ordering::Relaxed), 1);
        let long = "x".repeat(LONGEST + 1);
        for (query, state, text, want, anew) in [
            ("id=a", 1, "other", "one", false),
            ("id=b", 1, "of b", "of b", true),
            ("id=a", 2, "two", "two", true),
            ("id=a", 1, "again", "again", true),
            ("id=b", 1, "other", "of b", false),
            ("id=c", 1, "failed", "failed", true),
            ("id=c", 1, "in part", "in part", true),
            ("id=c", 1, "all of it", "all of it", true),
            ("id=c", 1, "other", "all of it", false),
            ("id=long", 1, &long, &long, true),
            ("id=long", 1, &long, &long, true),
        ] {
            let shown = site.show(query, state, text);
            assert_eq!(shown, (want.to_owned(), anew), "{query} {state} {text}");
        }
        for n in 0..3 * MOST_KEPT {
            site.show(&format!("id={n}"), 1, "many");
        }
        assert!(site.pages.0.lock().unwrap().len() <= MOST_KEPT);
    }
}
