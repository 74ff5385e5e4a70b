import { test } from '../support/e2e.ts'
import { locationFileFlow } from './location-file-flow.ts'

test.use({ engine: 'postgres' })

locationFileFlow(test, 'PostgreSQL')
