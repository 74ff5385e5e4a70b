import { config } from 'zod'

// zod probes whether it may build functions from text; our CSP blocks each probe and reports a violation.
config({ jitless: true })
