"""CNN encoders: an upright photo becomes L annotation vectors, one a grid cell.

Letters: B batch, D size of an annotation vector, R rows, C columns, L = R * C locations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

# (kernel, stride, expansion, width, depth) of EfficientNet-B0's seven stages (Tan & Le 2019, table 1).
STAGES = (
    (3, 1, 1, 16, 1),
    (3, 2, 6, 24, 2),
    (5, 2, 6, 40, 2),
    (3, 2, 6, 80, 3),
    (5, 1, 6, 112, 3),
    (5, 2, 6, 192, 4),
    (3, 1, 6, 320, 1),
)
# Lite variants scale width and depth, but neither the stem nor the head (TensorFlow's lite builder).
LITE_SCALES = {"efficientnet_lite0": (1.0, 1.0), "efficientnet_lite1": (1.0, 1.1), "efficientnet_lite2": (1.1, 1.2)}


class SamePad(nn.Module):
    """Zero padding by TensorFlow's SAME rule: the odd pixel goes to the bottom and the right."""

    def __init__(self, kernel: int, stride: int) -> None:
        super().__init__()
        self.kernel, self.stride = kernel, stride

    def forward(self, x: Tensor) -> Tensor:
        rows, columns = (self._missing(side) for side in x.shape[-2:])
        return F.pad(x, (columns // 2, columns - columns // 2, rows // 2, rows - rows // 2))

    def _missing(self, side: int) -> int:
        return max((math.ceil(side / self.stride) - 1) * self.stride + self.kernel - side, 0)


def _conv(
    width_in: int, width_out: int, kernel: int, stride: int = 1, groups: int = 1, act: bool = True
) -> nn.Sequential:
    return nn.Sequential(SamePad(kernel, stride), ConvNorm(width_in, width_out, kernel, stride, groups, act))


class ConvNorm(nn.Sequential):
    """Convolution, batch normalisation and ReLU6, numbered as in torchvision's block of that kind.

    Importing torchvision takes about as long as importing torch, and the window waits for it; nets of torchvision's own
    import it when they are asked for.
    """

    def __init__(self, width_in: int, width_out: int, kernel: int, stride: int, groups: int, act: bool) -> None:
        conv = nn.Conv2d(width_in, width_out, kernel, stride, groups=groups, bias=False)
        norm = nn.BatchNorm2d(width_out, eps=1e-3, momentum=0.01)
        super().__init__(conv, norm, *([nn.ReLU6(inplace=True)] if act else []))


class InvertedResidual(nn.Module):
    """MBConv without squeeze-and-excitation: expand, depthwise, project, and a skip where shapes allow."""

    def __init__(self, width_in: int, width_out: int, kernel: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = width_in * expansion
        expand = [_conv(width_in, wide, 1)] if expansion > 1 else []
        self.layers = nn.Sequential(
            *expand, _conv(wide, wide, kernel, stride, groups=wide), _conv(wide, width_out, 1, act=False)
        )
        self.skip = stride == 1 and width_in == width_out

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x) if self.skip else self.layers(x)


def _round_width(width: int, scale: float) -> int:
    if scale == 1.0:
        return width
    rounded = max(8, int(width * scale + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * width * scale else rounded


class Maps(nn.Module):
    """An encoder as two feature maps: a fine one and one of half its rows, with `sizes` channels."""

    sizes: tuple[int, int]


class EfficientNetLite(Maps):
    """EfficientNet-Lite as two feature maps: stride 16 (before the last halving) and stride 32 (the head)."""

    def __init__(self, width_scale: float = 1.0, depth_scale: float = 1.0) -> None:
        super().__init__()
        self.stem = _conv(3, 32, 3, stride=2)
        width_in, stages = 32, []
        for index, (kernel, stride, expansion, width, depth) in enumerate(STAGES):
            width = _round_width(width, width_scale)
            repeats = depth if index in (0, len(STAGES) - 1) else math.ceil(depth * depth_scale)
            blocks = []
            for repeat in range(repeats):
                blocks.append(InvertedResidual(width_in, width, kernel, stride if repeat == 0 else 1, expansion))
                width_in = width
            stages.append(nn.Sequential(*blocks))
        self.fine, self.coarse = nn.Sequential(*stages[:5]), nn.Sequential(*stages[5:])
        self.head = _conv(width_in, 1280, 1)
        self.sizes = (_round_width(STAGES[4][3], width_scale), 1280)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        fine = self.fine(self.stem(x))  # [B, 112, S/16, S/16]
        return fine, self.head(self.coarse(fine))  # [B, 1280, S/32, S/32]


class TorchvisionMaps(Maps):
    """A torchvision ResNet or VGG as two feature maps: stride 16 and stride 32."""

    def __init__(self, name: str) -> None:
        super().__init__()
        from torchvision.models import get_model

        net = get_model(name, weights=None)
        if name.startswith("resnet"):
            self.fine = nn.Sequential(net.conv1, net.bn1, net.relu, net.maxpool, net.layer1, net.layer2, net.layer3)
            self.coarse = net.layer4
        else:
            pools = [i for i, layer in enumerate(net.features) if isinstance(layer, nn.MaxPool2d)]
            self.fine, self.coarse = net.features[: pools[3] + 1], net.features[pools[3] + 1 :]
        with torch.inference_mode():
            fine, coarse = self.eval().forward(torch.zeros(1, 3, 64, 64))
        self.sizes = (fine.shape[1], coarse.shape[1])

    def load_published(self, name: str) -> None:
        """Fill the net with torchvision's ImageNet weights of the same name; fetches them unless they are at hand."""
        from torchvision.models import get_model

        ours = list(self.state_dict())
        theirs = {
            k: v
            for k, v in get_model(name, weights="DEFAULT").state_dict().items()
            if not k.startswith(("fc.", "classifier."))
        }
        self.load_state_dict(dict(zip(ours, theirs.values(), strict=True)))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        fine = self.fine(x)
        return fine, self.coarse(fine)


class PooledResNet(Maps):
    """A ResNet whose last map, of stride 32, is pooled to 14 x 14 and stands alone; its normalisation is fixed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        from torchvision.models import get_model
        from torchvision.ops import FrozenBatchNorm2d

        net = get_model(name, weights=None, norm_layer=FrozenBatchNorm2d)
        self.resnet = nn.Sequential(*list(net.children())[:-2])
        self.sizes = (0, int(net.fc.in_features))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        coarse = F.adaptive_avg_pool2d(self.resnet(x), (14, 14))  # [B, 2048, 14, 14]
        return coarse[:, :0], coarse


def _builders() -> dict[str, Callable[[], Maps]]:
    lite: dict[str, Callable[[], Maps]] = {
        name: partial(EfficientNetLite, *scales) for name, scales in LITE_SCALES.items()
    }
    foreign = ("resnet18", "resnet34", "resnet50", "resnet101", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn")
    pooled: dict[str, Callable[[], Maps]] = {"resnet101_pooled": partial(PooledResNet, "resnet101")}
    return lite | pooled | {name: partial(TorchvisionMaps, name) for name in foreign}


ENCODERS = _builders()


class Encoder(nn.Module):
    """Annotation vectors on the stride-16 grid: its own features beside those of the stride-32 cell above it.

    Four neighbours share their stride-32 half: the grid is finer than what that half can tell apart.
    """

    def __init__(self, name: str = "efficientnet_lite0", classes: int = 0) -> None:
        super().__init__()
        if name not in ENCODERS:
            raise ValueError(f"unknown encoder {name!r}; choose one of {', '.join(ENCODERS)}")
        self.maps = ENCODERS[name]()
        self.size = sum(self.maps.sizes)
        self.classes = nn.Linear(self.maps.sizes[1], classes) if classes else None

    def side(self, size: int) -> int:
        """Rows (and columns) of the grid that pictures of `size` x `size` pixels get."""
        return math.ceil(size / 16)

    def forward(self, pixels: Tensor) -> Tensor:
        """Encode normalised `pixels` [B, 3, S, S] into annotation vectors [B, L, D]."""
        return combine(*self.maps(pixels))

    def class_map(self, annotations: Tensor) -> Tensor:
        """Class scores [B, L, classes] of each location (Zhou et al. 2016); their mean is what the whole photo scores.

        Raises `ValueError` where the encoder has no class head.
        """
        if self.classes is None:
            raise ValueError("this encoder has no class head")
        return self.classes(annotations[..., self.maps.sizes[0] :])


def combine(fine: Tensor, coarse: Tensor) -> Tensor:
    """Lay `coarse` [B, D2, r, c] under `fine` [B, D1, R, C] by repeating cells: annotation vectors [B, L, D1 + D2]."""
    under = F.interpolate(coarse, size=fine.shape[-2:], mode="nearest")
    return torch.cat((fine, under), dim=1).flatten(2).transpose(1, 2)


def fuse_batchnorm(module: nn.Module) -> nn.Module:
    """Fold every evaluated BatchNorm into the convolution before it; the features stay the same and come faster."""
    for child in module.modules():
        if isinstance(child, ConvNorm) and isinstance(child[1], nn.BatchNorm2d):
            conv = child[0].eval()
            assert isinstance(conv, nn.Conv2d)  # as it was built
            child[0] = fuse_conv_bn_eval(conv, child[1].eval())
            child[1] = nn.Identity()
    return module


def lite_state(names: Iterable[str], foreign: dict[str, Tensor]) -> dict[str, Tensor]:
    """Rename the parameters of a published EfficientNet-Lite checkpoint: both list them in the order of the layers.

    Raises `ValueError` when the two don't hold the same number of tensors.
    """
    theirs = [value for key, value in foreign.items() if not key.startswith("_fc.")]
    ours = list(names)
    if len(theirs) != len(ours):
        raise ValueError(f"the checkpoint holds {len(theirs)} tensors where this encoder has {len(ours)}")
    return dict(zip(ours, theirs, strict=True))
