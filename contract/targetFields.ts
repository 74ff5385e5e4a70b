import { field, type Texts } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { ADULT_AGES, AGES, CHILDREN, ETHNICITIES, GENDERS, INCOMES, MARITAL } from './vocabulary.ts'

/** The audience of a target, one list for each demographic; an empty list means any. */
export const demographicFields = {
  age: field.several('Age', {
    options: AGES,
    what: 'an age',
    presets: [{ label: '18+', values: ADULT_AGES.map(String) }],
    older: ['age_range'],
  }),
  gender: field.several('Gender', { options: GENDERS, what: 'a gender' }),
  hhi: field.several('Household income', {
    about: 'Yearly household income; 0 is a value.',
    options: INCOMES,
    what: 'an income band',
    older: ['hhi_range', 'hhi'],
  }),
  ethnicity: field.several('Ethnicity', {
    options: ETHNICITIES,
    what: 'an ethnicity',
    older: ['ethnicity_range', 'ethnicity'],
  }),
  marital_status: field.several('Marital status', {
    options: MARITAL,
    what: 'a marital status',
    older: ['marital_status_range', 'marital_status', 'marital'],
  }),
  children: field.several('Children in the household', {
    short: 'Children',
    options: CHILDREN,
    what: 'a number of children',
    older: ['presence_of_children_range'],
  }),
}
export type Demographic = keyof typeof demographicFields
export const DEMOGRAPHICS = Object.keys(demographicFields) as readonly Demographic[]

const byArea = ({ location_based }: Texts) => location_based === 'no'
/** The market of a target; its areas are codes, of which fewer exist. */
export const marketFields = {
  location_based: field.choice('Location based', {
    options: [
      { value: 'yes', label: 'Yes', detail: 'At the locations in its location groups.' },
      { value: 'no', label: 'No', detail: 'By market area.' },
    ],
    wrong: 'must be yes or no',
    older: ['location_based_ind'],
  }),
  targeted_locations: field.several('Market areas', {
    most: 1000,
    older: ['targeted_location'],
    when: byArea,
    where: 'if location_based is no',
    needed: (values) => (byArea(values) ? MESSAGES.oneMarket : null),
  }),
}

/** The fields of an activity's audience, which needs an age and a gender. */
export const audienceFields = {
  ...demographicFields,
  age: { ...demographicFields.age, required: MESSAGES.oneAge },
  gender: { ...demographicFields.gender, required: MESSAGES.oneGender },
}
/** The fields of an activity's target. */
export const targetFields = { ...marketFields, ...audienceFields }
