"""Words that name a labelled thing become phrases with its boxes."""

from pathlib import Path

from attnviewer.data.named import boxes_of, choose_from, label, set_aside, tie
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


def test_photos_to_choose_on_take_the_place_of_a_folders_own_dev() -> None:
    here, there = Path("coco"), Path("flickr8k")
    photos = [Photo(f"{n}.jpg", split, (), folder=here) for n, split in enumerate(("train",) * 5 + ("dev", "test"))]
    photos += [Photo("f.jpg", "dev", (), folder=there)]
    chosen = choose_from(photos, here, count=2)
    assert [(p.file, p.folder) for p in chosen if p.folder == there] == [("f.jpg", there)]
    assert sorted(p.split for p in chosen if p.folder == here) == ["dev", "dev", "train", "train", "train"]
    assert not {"5.jpg", "6.jpg"} & {p.file for p in chosen if p.folder == here}


def test_each_labelled_thing_can_be_asked_for() -> None:
    captions = label(photo("a", "walk")).captions
    assert [(" ".join(c.words), c.phrases) for c in captions[1:]] == [
        ("a dog", (Phrase(0, 2, (DOG,)),)),
        ("a cup", (Phrase(0, 2, (SPECK,)),)),
    ]
