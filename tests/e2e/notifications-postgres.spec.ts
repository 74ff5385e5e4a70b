import { test } from '../support/e2e.ts'
import { notificationFlow } from './notification-flow.ts'
import { vipFlow } from './vip-flow.ts'

test.use({ engine: 'postgres' })

notificationFlow(test, 'PostgreSQL')
vipFlow(test, 'PostgreSQL')
