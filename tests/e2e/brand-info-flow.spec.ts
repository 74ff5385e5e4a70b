import { test } from '../support/e2e.ts'
import { brandInfoFlow } from './brand-info-flow.ts'

brandInfoFlow(test, 'SQLite')
