"""A program that uses the packages which openapi-python-client generates from both documents."""

import json
import os

import jobs
import management
from jobs.api.jobs import run, status, status_sync
from jobs.models import Acknowledgement, CompletedJob, Policy, Submission, SubmissionInput
from management.api.templates import list_templates
from management.models import TemplateList

key = os.environ["API_KEY"]
job_client = jobs.AuthenticatedClient(base_url=os.environ["JOB_API_URL"], token=key, timeout=90)
management_client = management.AuthenticatedClient(base_url=os.environ["MANAGEMENT_API_URL"], token=key)

values = {"text": "hello", "list": [1, None, {"deep": True}], "number": 1.5}
submission = Submission(input_=SubmissionInput.from_dict(values), policy=Policy(ttl=60_000))
accepted = run.sync("echo", client=job_client, body=submission)
assert isinstance(accepted, Acknowledgement), accepted
ended = status_sync.sync("echo", accepted.id, client=job_client, wait=60_000)
refused = status.sync_detailed("echo", "none", client=job_client)
listed = list_templates.sync(client=management_client)

print(
    json.dumps(
        {
            "job": ended.output if isinstance(ended, CompletedJob) else repr(ended),
            "refused": [int(refused.status_code), refused.parsed.code],
            "templates": isinstance(listed, TemplateList) and isinstance(listed.templates, list),
        }
    )
)
