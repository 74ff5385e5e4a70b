import { endOf, field } from './fieldKinds.ts'
import { MOST_VENUES } from './importWords.ts'
import { MESSAGES } from './messages.ts'

const status = field.choice('Status', {
  options: [
    { value: 'active', label: 'Active' },
    { value: 'inactive', label: 'Inactive' },
  ],
})
const OPEN_END = { nullable: true, hint: 'Leave empty for an open end.' } as const
const end_dt = endOf('start_dt', OPEN_END)

/** The fields of a brand, which holds services. */
export const brandFields = {
  name: field.name('Brand name', {
    short: 'Name',
    required: MESSAGES.brandName,
    max: 120,
    hint: 'Services, categories and users follow in its editor.',
  }),
  status,
  start_dt: field.day('Start', { required: MESSAGES.occasionStart }),
  end_dt,
}
/** Those of a new brand, which is active. */
export const newBrandFields = {
  name: brandFields.name,
  start_dt: field.day('Start', { hint: 'Defaults to today.', about: true }),
  end_dt,
}

/** The fields of a brand's service. */
export const serviceFields = {
  name: field.name('Service name', { required: MESSAGES.serviceName, max: 120 }),
  category_id: field.record('Category', {
    of: 'category',
    required: MESSAGES.serviceCategory,
    placeholder: 'Choose a category',
  }),
  s3_bucket: field.text('S3 bucket', {
    max: 300,
    code: true,
    usual: '',
    pattern: /^(s3:\/\/)?[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[^\s]*)?$/,
    wrong: 'is not a bucket name or s3:// address',
    hint: 'Where its visit files come from; kept as a note, not fetched.',
    about: true,
    placeholder: 's3://bucket/path',
    example: 's3://visits/corner-coffee',
  }),
  start_dt: field.day('Start', { required: MESSAGES.serviceStart }),
  end_dt,
  ordered: field.integer('Ordered', {
    max: 2_000_000_000,
    usual: 0,
    fill: () => '0',
    wrong: MESSAGES.serviceOrdered,
    hint: 'Visits expected between these dates; 0 for none.',
    about: true,
  }),
  status,
}
/** Those of a new service, under the names that its call has from the specification. */
export const newServiceFields = {
  service_name: serviceFields.name,
  category: serviceFields.category_id,
  s3_bucket: serviceFields.s3_bucket,
  start_date: serviceFields.start_dt,
  end_date: endOf('start_date', OPEN_END),
  ordered: serviceFields.ordered,
  venues: field.rows('Venues', { most: MOST_VENUES, creates: true }),
  user_ids: field.records('Users', { of: 'user', most: 1000, creates: true }),
}
