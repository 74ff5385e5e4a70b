import { sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { seesAll } from '../../../contract/actor.ts'
import type { Client, clientCalls } from '../../../contract/client.ts'
import { listOf } from '../../core/listBuilder.ts'
import { clientScope } from '../../core/scope.ts'
import { clientCounts, RUNNING } from './counts.ts'

type Filter = Pick<z.output<(typeof clientCalls)['client.list']['input']>, 'search' | 'column' | 'order'>
type ClientRecord = z.input<typeof Client>
type Row = Omit<ClientRecord, 'allowed_actions' | 'refused_actions'> & { running_projects: number }

/** The clients the caller sees, with their counts. */
export const clientList = listOf<'client', Filter, Row, ClientRecord>('client', {
  table: 'clients',
  scope: ({ actor }) => clientScope(actor),
  columns: ({ actor }) => clientCounts(actor),
  // A client user's counts depend on their own access, so they aren't cached.
  keeps: ({ actor }) => (seesAll(actor) ? { of: ['project', 'member'], key: '' } : null),
  also: () => [sql`clients.updated_at`, sql`clients.lock_version`, sql`${RUNNING} as running_projects`],
  shown: ({ actor }, rows) =>
    rows.map(({ running_projects, ...client }) => {
      const { allowed_actions, refused_actions } = allowedActions('client', actor, {
        running_projects: Number(running_projects),
      })
      return { ...client, allowed_actions, refused_actions: refused_actions as Record<string, string> }
    }),
})
