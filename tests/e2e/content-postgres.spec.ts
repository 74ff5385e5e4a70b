import { test } from '../support/e2e.ts'
import { contentFlow } from './content-flow.ts'

test.use({ engine: 'postgres' })

contentFlow(test, 'PostgreSQL')
