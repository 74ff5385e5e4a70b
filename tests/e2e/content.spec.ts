import { test } from '../support/e2e.ts'
import { contentFlow } from './content-flow.ts'

contentFlow(test, 'SQLite')
