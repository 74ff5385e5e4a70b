import { test } from '../support/e2e.ts'
import { teamFlow } from './team-flow.ts'

test.use({ engine: 'postgres' })

teamFlow(test, 'PostgreSQL')
