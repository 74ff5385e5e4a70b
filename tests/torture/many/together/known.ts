import assert from 'node:assert/strict'
import { transact } from '../../../../server/db/connect.ts'
import { listen } from '../ear.ts'
import { call } from '../send.ts'
import { ask, by, everywhere, isOk, type Kept, next, statuses, tokensOf, until } from './promise.ts'

/** TABLE  what one process knows as soon as another does. */
export const KNOWN: Kept[] = [
  {
    name: 'what one made the others know: snapshots, views, selections, the palette’s changes, settings, keys and acting as somebody',
    async hold(fleet) {
      const at = ask(fleet)
      const layout = JSON.stringify({ columns: [{ panes: [{ path: '/projects' }] }] })
      const snapshot = await at(0, 'snapshot.create', { layout })
      isOk(snapshot)
      const { id } = snapshot.body.data
      assert.deepEqual(
        (await at(1, 'snapshot.get', { id })).body.data.layout,
        (await at(2, 'snapshot.get', { id })).body.data.layout,
      )

      const view = await at(1, 'view.create', {
        screen: 'allProjects',
        name: `Mine ${next()}`,
        query: 'status=active',
        shared: 'own',
      })
      isOk(view)
      assert.ok((await at(2, 'view.list')).body.data.some((one) => one.id === view.body.data.id))

      const index = await at(0, 'palette.index')
      const project = await fleet.make.project({ client_id: fleet.client.id })
      isOk(await at(1, 'project.edit', { id: project.id, name: 'Found by its new name' }))
      const changes = await at(2, 'palette.index', { since: index.body.cursor })
      assert.ok(changes.body.put.some(([, found, name]) => found === project.id && name === 'Found by its new name'))

      // A selection is read in two pages: five hundred from one process, the rest from another.
      const count = 620
      const word = `Marked${next()}`
      const stamps = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() }
      const many = Array.from({ length: count }, (_, nth) => ({ ...stamps, name: `${word} ${nth}` }))
      await transact(fleet.database, (tx) => tx.insertInto('clients').values(many).execute())
      const filter = JSON.stringify({ search: word })
      const first = await at(0, 'list.selection', { list: 'clients', filter, after: 0 })
      const rest = await at(1, 'list.selection', { list: 'clients', filter, after: first.body.next })
      assert.equal(new Set([...first.body.rows, ...rest.body.rows].map(([id]) => id)).size, count)
      assert.equal(rest.body.next, null)

      const product = `Product ${next()}`
      isOk(await at(0, 'organization.edit', { product }))
      assert.deepEqual(
        (await everywhere(fleet, (url) => call(url, 'organization.config'))).map(({ body }) => body.data.product),
        [product, product, product],
      )

      const key = await at(0, 'key.create', { name: 'Importer' })
      const survey = await fleet.make.survey({ project_id: project.id })
      const byKey = (nth: number) =>
        call(
          by(fleet, nth),
          'runtime.ingest',
          { surveyId: survey.id, rows: [{ respondent_id: `k${nth}`, outcome: 'completes' }] },
          { headers: { authorization: `Bearer ${key.body.data.key}` } },
        )
      isOk(await byKey(1))
      isOk(await at(2, 'key.revoke', { id: key.body.data.id }))
      assert.deepEqual(statuses(await Promise.all([0, 1, 2].map(byKey))), [401, 401, 401])

      const member = await fleet.make.user({ clients: [fleet.client.id] })
      const acting = await at(0, 'session.actAs', { id: member.id, reason: 'To see what they see' })
      isOk(acting)
      const as = tokensOf(acting.headers)
      const seen = await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: as }))
      assert.deepEqual(
        seen.map(({ body }) => body.data.id),
        [member.id, member.id, member.id],
      )
    },
  },
  {
    name: 'an account closed at one loses its sessions and its live streams at all',
    async hold(fleet) {
      const user = await fleet.make.user({ role: 'admin' })
      const one = await fleet.session(user)
      const ears = await everywhere(fleet, (url) => listen(url, one))
      isOk(await ask(fleet)(2, 'user.remove', { id: user.id }))
      await until(1000, async () => ears.every((ear) => ear.refused.includes('401')), 'a stream goes on')
      for (const ear of ears) ear.stop()
      assert.deepEqual(
        statuses(await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: one }))),
        [401, 401, 401],
      )
    },
  },
]
