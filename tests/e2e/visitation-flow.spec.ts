import { test } from '../support/e2e.ts'
import { visitationFlow } from './visitation-flow.ts'

visitationFlow(test, 'SQLite')
