import { test } from '../support/e2e.ts'
import { visitationFlow } from './visitation-flow.ts'

test.use({ engine: 'postgres' })

visitationFlow(test, 'PostgreSQL')
