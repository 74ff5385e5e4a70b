import { test } from '../support/e2e.ts'
import { activityFlow } from './activity-flow.ts'
import { formsFlow } from './forms-flow.ts'
import { targetFlow } from './target-flow.ts'

test.use({ engine: 'postgres' })

activityFlow(test, 'PostgreSQL')
targetFlow(test, 'PostgreSQL')
formsFlow(test, 'PostgreSQL')
