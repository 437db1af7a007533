"""Models for other programs: one ONNX file with preprocessing, network, calibration, novelty and verdict inside."""
