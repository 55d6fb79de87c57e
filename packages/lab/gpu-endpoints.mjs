#!/usr/bin/env node
/** `npx gpu-endpoints` in this repository: npm links the programs of workspaces, but not those of the root. */
import '../../bin/start/gpu-endpoints.mjs';
