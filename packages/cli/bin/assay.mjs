#!/usr/bin/env node
// Committed, so that npm finds and links the command at install time, before anything is built.
import '../dist/bundle/assay.js';
