import { test } from '../support/e2e.ts'
import { teamFlow } from './team-flow.ts'

teamFlow(test, 'SQLite')
