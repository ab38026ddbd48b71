"""Pipelines of scikit-learn as ONNX files by skl2onnx.

python -m traces.collect.zoo.sources.sklearn FOLDER    (in the environment that traces/backends.sh zoo makes)
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from skl2onnx import to_onnx
from sklearn import (
    cluster,
    cross_decomposition,
    decomposition,
    discriminant_analysis,
    ensemble,
    feature_selection,
    gaussian_process,
    kernel_approximation,
    linear_model,
    mixture,
    naive_bayes,
    neighbors,
    neural_network,
    pipeline,
    preprocessing,
    random_projection,
    svm,  # fmt: skip
    tree,
)

from traces.collect.zoo import store

OPSETS = (9, 11, 13, 17, 18, 21)
ROWS, COLUMNS = 40, 6
def _network(activation: str) -> Any:
    return neural_network.MLPRegressor(hidden_layer_sizes=(8,), activation=activation, max_iter=20)


MODELS: dict[str, Callable[[], Any]] = {
    "Scaler": preprocessing.StandardScaler,
    "MinMax": lambda: preprocessing.MinMaxScaler(clip=True),
    "Robust": preprocessing.RobustScaler,
    "Normalizer": lambda: preprocessing.Normalizer("l2"),
    "Polynomial": lambda: preprocessing.PolynomialFeatures(2),
    "Binarizer": preprocessing.Binarizer,
    "Bins": lambda: preprocessing.KBinsDiscretizer(3, encode="onehot-dense", quantile_method="averaged_inverted_cdf"),
    "Power": preprocessing.PowerTransformer,
    "Pca": lambda: decomposition.PCA(3),
    "Svd": lambda: decomposition.TruncatedSVD(3),
    "Components": lambda: decomposition.FastICA(3),
    "Linear": linear_model.LinearRegression,
    "Ridge": lambda: pipeline.make_pipeline(preprocessing.StandardScaler(), linear_model.Ridge()),
    "Lasso": lambda: linear_model.Lasso(0.01),
    "Poisson": linear_model.PoissonRegressor,
    "Logistic": lambda: pipeline.make_pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression()),
    "Perceptron": lambda: linear_model.SGDClassifier(loss="modified_huber"),
    "Network": lambda: neural_network.MLPClassifier(hidden_layer_sizes=(8, 4), max_iter=20),
    "NetworkTanh": lambda: pipeline.make_pipeline(decomposition.PCA(4), _network("tanh")),
    "NetworkLogistic": lambda: _network("logistic"),
    "Neighbors": lambda: neighbors.KNeighborsClassifier(3),
    "NeighborsRegressor": lambda: neighbors.KNeighborsRegressor(3, weights="distance"),
    "Centroid": lambda: cluster.KMeans(3, n_init=1),
    "Mixture": lambda: mixture.GaussianMixture(2),
    "MixtureDiagonal": lambda: mixture.GaussianMixture(2, covariance_type="diag"),
    "Bayes": naive_bayes.GaussianNB,
    "BayesBernoulli": naive_bayes.BernoulliNB,
    "Discriminant": discriminant_analysis.LinearDiscriminantAnalysis,
    "Quadratic": discriminant_analysis.QuadraticDiscriminantAnalysis,
    "GaussianProcess": gaussian_process.GaussianProcessRegressor,
    "GaussianClassifier": gaussian_process.GaussianProcessClassifier,
    "Vectors": lambda: svm.SVC(probability=False),
    "VectorsLinear": svm.LinearSVC,
    "VectorsRegressor": svm.SVR,
    "Tree": lambda: tree.DecisionTreeClassifier(max_depth=3),
    "Forest": lambda: ensemble.RandomForestRegressor(3, max_depth=3),
    "Boosted": lambda: ensemble.GradientBoostingClassifier(n_estimators=3, max_depth=2),
    "Histogram": lambda: ensemble.HistGradientBoostingRegressor(max_iter=3),
    "Ada": lambda: ensemble.AdaBoostClassifier(n_estimators=3),
    "Bagging": lambda: ensemble.BaggingRegressor(linear_model.LinearRegression(), n_estimators=3),
    "Voting": lambda: ensemble.VotingRegressor([("a", linear_model.LinearRegression()), ("b", linear_model.Ridge())]),
    "Stacking": lambda: ensemble.StackingRegressor([("a", linear_model.LinearRegression()), ("b", linear_model.Ridge())]),
    "Isolation": lambda: ensemble.IsolationForest(n_estimators=3, max_samples=8),
    "Outliers": lambda: neighbors.LocalOutlierFactor(5, novelty=True),
    "Select": feature_selection.VarianceThreshold,
    "Nystroem": lambda: kernel_approximation.RBFSampler(n_components=4),
    "Projection": lambda: random_projection.GaussianRandomProjection(3),
    "Partial": lambda: cross_decomposition.PLSRegression(2),
    "Union": lambda: pipeline.make_union(preprocessing.StandardScaler(), decomposition.PCA(2)),
}  # fmt: skip


def main() -> None:
    """The program."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    drawn = np.random.default_rng(0)
    x = drawn.standard_normal((ROWS, COLUMNS)).astype(np.float32)
    y = (x[:, 0] + x[:, 1] > 0).astype(np.int64)
    for name, make in MODELS.items():
        np.random.seed(0)
        fitted = make().fit(x, y)
        for opset in OPSETS:
            path = store.path_of(folder, f"Sklearn{name}", f"skl{opset}")
            with store.skipping(path):
                options = {"zipmap": False} if hasattr(fitted, "predict_proba") and not name.startswith("Mixture") else {}
                given = {id(fitted): options} if options else None
                model = to_onnx(fitted, x[:2], options=given, target_opset={"": opset, "ai.onnx.ml": min(3, 1 + opset // 8)})
                onnx.save(model, path)
                store.save_inputs(path, {model.graph.input[0].name: x[:3]})


if __name__ == "__main__":
    main()
