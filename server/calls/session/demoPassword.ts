import type { Ctx, UserRow } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import type { Settings } from '../../core/settings.ts'
import type { Db } from '../../db/connect.ts'
import { fillingOf } from '../../domain/demoState.ts'

/** Whether the README's password is disabled: others can reach the server, and DEMO wasn't set. */
const isShut = ({ demoChosen, demo, publicBecause }: Settings): boolean =>
  publicBecause.length > 0 && (!demoChosen || demo === 'none')

/** Throws 401 for demo accounts that still have the published password, on a server others can reach. */
export async function refuseDemoPassword(ctx: Pick<Ctx, 'db' | 'services'>, user: UserRow): Promise<void> {
  if (!isShut(ctx.services.settings)) return
  const filling = await fillingOf(ctx.db)
  if (filling.is === 'demo' && Object.values(filling.state.passwords).includes(user.password_hash ?? ''))
    throw new HttpError(
      401,
      'demo_password',
      'This is the public demo password. It doesn’t work on a server that others can reach. Set a new password, or ask an administrator.',
    )
}

/** A startup warning for a demo database that others can reach; null if no account has the demo password. */
export async function demoWarning(db: Db, settings: Settings): Promise<string | null> {
  const { publicBecause } = settings
  if (!publicBecause.length) return null
  const open = await openDemoAccounts(db)
  if (!open.length) return null
  const who = `${open.length === 1 ? 'One account has' : `${open.length} accounts have`} the public demo password (${open.slice(0, 3).join(', ')}${open.length > 3 ? ' …' : ''})`
  const why = `others can reach this server (${publicBecause.join(', ')})`
  return isShut(settings)
    ? `${who}, and ${why}: nobody can sign in with it. Create your own administrator with \`npm run admin -- you@example.com\`, or set DEMO=demo for a demo that is open to all.`
    : `THIS MARKETPLACE IS OPEN TO ALL. ${who}, and ${why}. Anybody can sign in as an administrator: don’t keep real data in it. DEMO=none ends that.`
}

/** Emails of demo users who still have the demo password, administrators first. */
async function openDemoAccounts(db: Db): Promise<string[]> {
  const filling = await fillingOf(db)
  if (filling.is !== 'demo') return []
  const users = await db
    .selectFrom('users')
    .select('email')
    .where('password_hash', 'in', Object.values(filling.state.passwords))
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .orderBy('role')
    .orderBy('id')
    .execute()
  return users.map(({ email }) => email)
}
