"""Words that name a labelled thing become phrases with its boxes."""

from attnviewer.data.named import boxes_of, set_aside, tie
from attnviewer.data.photos import Caption, Photo, Phrase, Thing

DOG, SPECK = (0.1, 0.1, 0.6, 0.9), (0.0, 0.0, 0.05, 0.05)


def photo(*words: str, phrases: tuple[Phrase, ...] = ()) -> Photo:
    return Photo("a.jpg", "train", (Caption(words, phrases),), (Thing("dog", DOG), Thing("cup", SPECK)))


def test_a_name_gets_the_boxes_of_its_thing() -> None:
    tied = tie(photo("a", "brown", "puppy", "sleeps"), whole=False)
    assert tied.captions[0].phrases == (Phrase(2, 3, (DOG,)),)


def test_a_whole_phrase_begins_at_its_article() -> None:
    tied = tie(photo("see", "a", "brown", "puppy"), whole=True)
    assert tied.captions[0].phrases == (Phrase(1, 4, (DOG,)),)


def test_an_article_out_of_reach_is_left_alone() -> None:
    tied = tie(photo("a", "very", "old", "tired", "dog"), whole=True)
    assert tied.captions[0].phrases == (Phrase(4, 5, (DOG,)),)


def test_things_too_small_to_point_at_are_left_out() -> None:
    assert set(boxes_of(photo("a"))) == {"dog", "cup"}
    assert set(boxes_of(photo("a"), least=0.02)) == {"dog"}


def test_phrases_that_people_marked_stay() -> None:
    marked = (Phrase(0, 2, (SPECK,)),)
    assert tie(photo("a", "dog", phrases=marked), whole=True).captions[0].phrases == marked


def test_the_same_photos_are_set_aside_in_any_order() -> None:
    photos = [Photo(f"{number}.jpg", "train", ()) for number in range(20)]
    first, second = (set_aside(order, "tune", 5) for order in (photos, photos[::-1]))
    chosen = {p.file for p in first if p.split == "tune"}
    assert len(chosen) == 5
    assert chosen == {p.file for p in second if p.split == "tune"}
