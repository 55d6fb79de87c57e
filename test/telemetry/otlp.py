"""Decodes requests of OTLP with the classes that OpenTelemetry generates: base64 by signal in, JSON out."""
import base64
import json
import sys

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

TYPES = {"traces": ExportTraceServiceRequest, "metrics": ExportMetricsServiceRequest}


def decoded(signal, body):
    message = TYPES[signal].FromString(base64.b64decode(body))
    # A field that the definitions do not have is a mistake of the sender.
    assert message.SerializeToString(deterministic=True)
    return MessageToDict(message)


print(json.dumps([decoded(signal, body) for signal, body in json.load(sys.stdin)]))
