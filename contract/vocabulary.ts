/** A value and its label. */
export interface Term<V extends string | number = string | number> {
  value: V
  label: string
}

/** Age ids (projects-area 9): 0 is Any; −1 '18+' exists only in the interface, 8 'Other' only in the Overview. */
export const AGES = [
  { value: 1, label: '13 to 17' },
  { value: 2, label: '18 to 24' },
  { value: 3, label: '25 to 34' },
  { value: 4, label: '35 to 44' },
  { value: 5, label: '45 to 54' },
  { value: 6, label: '55 to 64' },
  { value: 7, label: '65+' },
] as const satisfies Term<number>[]

/** Ages as the older generation labels them (projects-area 9). */
export const OLDER_AGES: readonly Term<number>[] = AGES.map((age) => (age.value === 7 ? { ...age, label: '65 & Older' } : age))

/** The labels of ages for a generation of projects. */
export const agesOf = (generation: string): readonly Term<number>[] => (generation === 'campaign' ? OLDER_AGES : AGES)

/** Age ids that '18+' stands for. */
export const ADULT_AGES = [2, 3, 4, 5, 6, 7] as const

export const GENDERS = [
  { value: 'female', label: 'Female' },
  { value: 'male', label: 'Male' },
  { value: 'other', label: 'Other' },
] as const satisfies Term<string>[]

/** Household income bands; 0 is a value (decisions.md 9). */
export const INCOMES = [
  { value: 0, label: '< $24,999' },
  { value: 1, label: '$25K to $34,999' },
  { value: 2, label: '$35K to $49,999' },
  { value: 3, label: '$50K to $74,999' },
  { value: 4, label: '$75K to $99,999' },
  { value: 5, label: '$100K to $149,999' },
  { value: 6, label: '> $150,000' },
] as const satisfies Term<number>[]

export const ETHNICITIES = [
  { value: 'white', label: 'White' },
  { value: 'african', label: 'African American' },
  { value: 'indian', label: 'American Indian' },
  { value: 'asian', label: 'Asian' },
  { value: 'hispanic', label: 'Hispanic' },
  { value: 'other', label: 'Other' },
] as const satisfies Term<string>[]

/** The ethnicities that a generation of projects offers: Other is only in the older one's lists (projects-area 9). */
export const ethnicitiesOf = (generation: string): readonly Term<string>[] =>
  generation === 'campaign' ? ETHNICITIES : ETHNICITIES.filter(({ value }) => value !== 'other')

export const MARITAL = [
  { value: 'single', label: 'Single' },
  { value: 'married', label: 'Married' },
  { value: 'separated', label: 'Separated' },
  { value: 'widowed', label: 'Widowed' },
  { value: 'divorced', label: 'Divorced' },
] as const satisfies Term<string>[]

/** Children in the household; 0 is a value. */
export const CHILDREN = [
  { value: 0, label: '0' },
  { value: 1, label: '1' },
  { value: 2, label: '2' },
  { value: 3, label: '3-4' },
  { value: 4, label: '4+' },
] as const satisfies Term<number>[]

/** Minutes at a location, as the dwellRange[] filter names them; upper bounds are exclusive. */
export const DWELLS = [
  { value: '0-5', label: 'under 5 min', from: 0 },
  { value: '5-10', label: '5 to 10 min', from: 5 },
  { value: '10-20', label: '10 to 20 min', from: 10 },
  { value: '20-30', label: '20 to 30 min', from: 20 },
  { value: '30-60', label: '30 to 60 min', from: 30 },
  { value: '60+', label: '60 min and more', from: 60 },
] as const
export const NOTICES = [
  { value: 'yes', label: 'Noticed' },
  { value: 'no', label: 'Did not notice' },
] as const satisfies Term<string>[]

export const OUTCOMES = [
  { value: 'completes', label: 'Completes' },
  { value: 'terminates', label: 'Terminates' },
  { value: 'overquota', label: 'Overquota' },
  { value: 'partials', label: 'Partials' },
] as const satisfies Term<string>[]
export type Outcome = (typeof OUTCOMES)[number]['value']

export const ACTIVITY_TYPES = [
  { value: 'survey', label: 'Survey' },
  { value: 'social', label: 'Social' },
  { value: 'video', label: 'Video' },
  { value: 'photo', label: 'Photo' },
] as const satisfies Term<string>[]
/** A project's type in both spellings of the API. */
export const PROJECT_TYPES = ['Survey', 'Content'] as const
export const ACTION_TYPES = [
  { value: 'photo', label: 'Photo' },
  { value: 'video', label: 'Video' },
  { value: 'comment', label: 'Comment' },
  { value: 'social', label: 'Social' },
  { value: 'survey', label: 'Survey' },
  { value: 'nothing', label: 'Nothing' },
] as const satisfies Term<string>[]
export const SOCIAL_TYPES = [
  { value: 'facebook', label: 'Facebook' },
  { value: 'twitter_follow', label: 'Twitter follow' },
  { value: 'twitter_tweet', label: 'Twitter tweet' },
] as const satisfies Term<string>[]
/** File extensions accepted for upload (projects-area 5; decisions.md 9): pictures, sound, film and documents. */
export const UPLOADS = {
  media: ['jpg', 'jpeg', 'png', 'gif', 'mp3', 'mp4', 'mov', 'wma', 'wmv', 'mpg', 'mpeg', 'mpv', 'flv', 'avi'],
  document: ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv', 'txt'],
} as const
export const UPLOAD_TYPES = [...UPLOADS.media, ...UPLOADS.document] as const
export type UploadType = (typeof UPLOAD_TYPES)[number]
/** File extensions of a survey's data map, which lists its questions. */
export const DATA_MAP_FILES = ['csv', 'xlsx', 'txt', 'json'] as const
/** File extensions of a project's assets: no sound, and only films that every browser plays. */
export const ASSET_FILES = [
  'mp4',
  'mov',
  'jpg',
  'jpeg',
  'png',
  'gif',
  ...UPLOADS.document,
] as const satisfies readonly UploadType[]
/** File extensions of attachments to a child project (projects-area 5). */
export const CHILD_FILES = ['jpg', 'jpeg', 'png', 'gif', 'pdf', 'doc', 'docx', 'txt'] as const satisfies readonly UploadType[]
/** What a post can be (projects-area 3). */
export const POST_TYPES = [
  { value: 'photo', label: 'Photo' },
  { value: 'video', label: 'Video' },
] as const satisfies Term<string>[]
/** Extensions of the picture, and of the film that browsers play, in a post, event or promotion. */
export const PICTURES = ['jpg', 'jpeg', 'png', 'gif'] as const satisfies readonly UploadType[]
export const VIDEOS = ['mp4', 'mov'] as const satisfies readonly UploadType[]
export const ASSET_TYPES = ['Survey Document', 'Creative Assets', 'Location List'] as const

/** Reward providers (projects-area 9): partner_id → name and payable amounts in cents. */
export const PROVIDERS = [
  { value: 1, label: 'Gift card', allowed: [500, 1000, 1500, 2000, 2500, 5000] },
  { value: 600, label: 'Second provider', allowed: [500, 1000, 1500, 2000, 2500, 5000, 10000] },
] as const

export const REWARD_STATUSES = [
  { value: 'pending', label: 'Pending' },
  { value: 'processing', label: 'Processing' },
  { value: 'sent', label: 'Sent' },
  { value: 'rejected', label: 'Rejected' },
] as const satisfies Term<string>[]
export type RewardStatus = (typeof REWARD_STATUSES)[number]['value']

export const ROLES = [
  { value: 'admin', label: 'Administrator' },
  { value: 'client', label: 'Client' },
] as const satisfies Term<string>[]
export type Role = (typeof ROLES)[number]['value']

/** Filters of the history by who made a change (decisions.md 8). */
export const HISTORY_FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'client', label: 'Client' },
  { value: 'event', label: 'Event' },
  { value: 'channel_partner', label: 'Channel Partner' },
] as const satisfies Term<string>[]

/** Kinds of project files, with their labels. */
export const FILE_KINDS = [
  { value: 'asset', label: 'Asset' },
  { value: 'document', label: 'Document' },
  { value: 'docsign', label: 'Signed document' },
  { value: 'location', label: 'Location file' },
] as const

/** TABLE  demographics that a crosstab can use as columns, besides another question. */
export const CROSSTAB_BY = [
  { value: 'age', label: 'Age' },
  { value: 'gender', label: 'Gender' },
  { value: 'income', label: 'Income' },
  { value: 'ethnicity', label: 'Ethnicity' },
  { value: 'marital_status', label: 'Marital status' },
  { value: 'children', label: 'Children' },
] as const
export type CrosstabDemographic = (typeof CROSSTAB_BY)[number]['value']
/** Columns with a smaller base are marked "small base". */
export const SMALL_BASE = 30

/** Returns a value's label, or `otherwise` for an unknown value (projects-area 9: 'Any'). */
export function labelOf(terms: readonly Term[], value: unknown, otherwise = 'Any'): string {
  return terms.find((term) => String(term.value) === String(value))?.label ?? otherwise
}

/** A word without what people write differently: case, blanks, commas, "18 to 24" for "18-24", "under" for "<". */
const bare = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/^under(?=\s)/, '<')
    .replace(/^over(?=\s)/, '>')
    .replace(/ & older$/, '+')
    .replace(/\bto\b|–/g, '-')
    .replace(/[\s,]/g, '')
/** The value that a word means, by value or by a label in any spelling of the specifications; else undefined. */
export function valueOfWord(terms: readonly Term[], word: string): string | undefined {
  const exact = terms.find(({ value }) => String(value) === word.trim())
  const term = exact ?? terms.find(({ value, label }) => bare(label) === bare(word) || bare(String(value)) === bare(word))
  return term && String(term.value)
}
/** The accepted values with their labels: "1 (13 to 17), 2 (18 to 24)", or "male, female". */
export const acceptedWords = (terms: readonly Term[]): string =>
  terms.map(({ value, label }) => (bare(String(value)) === bare(label) ? String(value) : `${value} (${label})`)).join(', ')

/** An upload must be smaller than this many bytes (projects-area 9). */
export const UPLOAD_LIMIT = 10_485_760
