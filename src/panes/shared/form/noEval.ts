import { config } from 'zod'

// zod tries whether it may compile code from strings; our CSP blocks each attempt and reports a violation.
config({ jitless: true })
