import { test } from '../support/e2e.ts'
import { quoteFlow } from './quote-flow.ts'

test.use({ viaSmtp: true })

quoteFlow(test, 'SQLite')
