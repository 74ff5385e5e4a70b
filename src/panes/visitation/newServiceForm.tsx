import { useMemo, useRef, useState } from 'react'
import { textsOf } from '../../../contract/fieldKinds.ts'
import { counted } from '../../../contract/format.ts'
import { newServiceFields } from '../../../contract/visitationFields.ts'
import { api } from '../../data/apiClient.ts'
import { everyClientUser } from '../../data/clientUsers.ts'
import { useCall, useRead } from '../../data/useCall.ts'
import { useToday } from '../../palette/useToday.ts'
import { href } from '../../routing/routes.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { type NewForm, newPane } from '../shared/form/declaredForm.tsx'
import { RecordPicker } from '../shared/RecordPicker.tsx'
import { type Venue, Venues } from './Venues.tsx'

/** A new service of a brand (screens-visitation.md, New service). */
const form: NewForm<'service', typeof newServiceFields, 'brand'> = {
  noun: 'service',
  fields: newServiceFields,
  of: 'brand',
  useSpecial(brand) {
    const today = useToday()
    const [initial] = useState(() => ({
      category: brand.categories.length === 1 ? String(brand.categories[0]!.id) : '',
      start_date: today,
      ordered: '',
    }))
    const categories = useCall('category.list', {}).data?.data
    const users = useRead(['user.list', { role: 'client', all: true }], () => everyClientUser(api))
    const people = useMemo(
      () =>
        users.data?.map((user) => ({
          id: user.id,
          name: user.name || user.email,
          detail: user.company_name,
          note: user.email,
        })),
      [users.data],
    )
    const options = useMemo(() => {
      const own = new Set(brand.categories.map((one) => one.id))
      const all = (categories ?? []).map((one) => ({
        value: String(one.id),
        label: own.has(one.id) ? `${one.name} · ${brand.name}’s` : one.name,
        own: own.has(one.id),
      }))
      return all.toSorted((a, b) => Number(b.own) - Number(a.own))
    }, [categories, brand])
    const isReading = useRef(false)
    return {
      form: {
        initial,
        also: (): { venues?: string } => (isReading.current ? { venues: 'The file is still being read.' } : {}),
        another: ({ category, start_date, end_date }) => ({
          ...textsOf(newServiceFields),
          ...{ category, start_date, end_date, ordered: '' },
        }),
        saved(made) {
          const { data } = made
          const job_id = 'job_id' in made ? made.job_id : null
          if (job_id) workspace.follow(job_id, `The venues of ${data.name} were added`)
          return {
            title: 'Service created',
            name: job_id ? `${data.name}. Its ${counted(data.venues_coming, 'venue')} are being added.` : data.name,
            leads: href('brandEditor', { id: brand.id }, { tab: 'services', query: { at: data.id } }),
          }
        },
      },
      aside: (
        <p className="mt-0.5 text-meta text-muted">
          Brand{' '}
          <PaneLink to={href('brandEditor', { id: brand.id }, { tab: 'services' })} className="underline">
            <bdi>{brand.name}</bdi>
          </PaneLink>
        </p>
      ),
      another: 'Add another',
      options: { category: options },
      controls: {
        venues: ({ value, onChange }) => (
          <Venues
            value={value as readonly Venue[]}
            onChange={onChange}
            onReading={(is) => {
              isReading.current = is
            }}
          />
        ),
        user_ids: (bound) => (
          <RecordPicker
            {...bound}
            options={people}
            error={users.error}
            retry={users.retry}
            what="The users"
            words={['user', 'users']}
            none="There are no client users yet."
          />
        ),
      },
      sections: [
        { id: 'service', title: 'Service', fields: ['service_name', 'category', 's3_bucket'] },
        { id: 'term', title: 'Dates', fields: ['start_date', 'end_date', 'ordered'] },
        {
          id: 'venues',
          title: 'Venues',
          fields: ['venues'],
          hint: 'Optional, up to 50,000 from a file. Venues are also added with their first visits.',
        },
        { id: 'users', title: 'Users', fields: ['user_ids'], hint: 'Client users who see the service immediately.' },
      ],
    }
  },
}
export const pane = newPane(form)
