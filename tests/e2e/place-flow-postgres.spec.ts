import { test } from '../support/e2e.ts'
import { placeFlow } from './place-flow.ts'

test.use({ engine: 'postgres' })

placeFlow(test, 'PostgreSQL')
