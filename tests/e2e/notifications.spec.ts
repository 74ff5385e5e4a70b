import { test } from '../support/e2e.ts'
import { notificationFlow } from './notification-flow.ts'
import { vipFlow } from './vip-flow.ts'

notificationFlow(test, 'SQLite')
vipFlow(test, 'SQLite')
