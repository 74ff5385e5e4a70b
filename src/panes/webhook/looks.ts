import { wordOf } from '../../../contract/nounOf.ts'
import type { Looks, RowOf } from '../../list/nounColumns.tsx'

export type Webhook = RowOf<'webhook'>
export type Delivery = RowOf<'delivery'>

export const WEBHOOK_LOOKS: Looks<Webhook['status']> = {
  active: ['green', 'dot'],
  paused: ['grey', 'ring'],
  disabled: ['red', 'cross'],
}
export const DELIVERY_LOOKS: Looks<Delivery['status']> = {
  queued: ['grey', 'ring'],
  sending: ['blue', 'dot'],
  delivered: ['green', 'tick'],
  failed: ['red', 'cross'],
  skipped: ['grey', 'cross'],
}

/** Names what a webhook follows: "projects, clients and 3 more". */
export function nounsText(nouns: readonly string[], most = 3): string {
  const words = nouns.map((noun) => wordOf(noun, true))
  return words.length > most + 1 ? `${words.slice(0, most).join(', ')} and ${words.length - most} more` : words.join(', ')
}
/** Names the clients a webhook is limited to. */
export const clientsText = (clients: Webhook['clients'], most = 2): string =>
  clients.length > most + 1
    ? `${clients
        .slice(0, most)
        .map(({ name }) => name)
        .join(', ')} and ${clients.length - most} more`
    : clients.map(({ name }) => name).join(', ')
