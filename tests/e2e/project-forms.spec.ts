import { test } from '../support/e2e.ts'
import { formsFlow } from './forms-flow.ts'

formsFlow(test, 'SQLite')
