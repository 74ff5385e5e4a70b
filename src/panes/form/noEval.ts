import { config } from 'zod'

// zod would try whether it may make functions of texts. It may not: the content security policy stops that, and each try is reported as a breach.
config({ jitless: true })
