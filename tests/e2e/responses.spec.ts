import { test } from '../support/e2e.ts'
import { responsesFlow } from './responses-flow.ts'

responsesFlow(test, 'SQLite')
