import type { AnswerType } from '../../contract/questionRules.ts'
import type { DemoQuestion } from './questions.ts'
import type { Random } from './random.ts'

const AGREE = ['Strongly agree', 'Agree', 'Neither', 'Disagree', 'Strongly disagree']
type More = readonly [answer: AnswerType, name: string, options?: readonly string[]]

/** TABLE  survey questions of the other answer types, and six more single ones, with {brand} and {product}. */
const MORE: readonly More[] = [
  ['single', '"{brand} keeps its promises."', AGREE],
  ['single', '"I would miss {brand} if it were gone."', AGREE],
  ['single', 'How well does {brand} fit your life?', ['Very well', 'Well', 'Somewhat', 'Not at all']],
  ['single', 'Did you try {product} for the first time?', ['Yes', 'No', 'Not sure']],
  ['single', 'Which shelf was {product} on?', ['Top', 'Eye level', 'Lower', 'Bottom', 'A display of its own']],
  ['single', 'How soon will you shop for {product} again?', ['This week', 'This month', 'Later', 'Never']],
  [
    'multiple',
    'Which of these brands do you know?',
    ['{brand}', 'Juniper Lane', 'Old Harbor', 'Blue Door', 'Field & Stone', 'None of these'],
  ],
  [
    'multiple',
    'Where do you usually buy {product}?',
    ['Grocery store', 'Big-box store', 'Convenience store', 'Online', 'Club store'],
  ],
  [
    'multiple',
    'What do you like about {brand} {product}?',
    ['Taste or feel', 'Price', 'Package', 'Choice of kinds', 'How it is made', 'Nothing'],
  ],
  ['multiple', 'With whom do you share {product}?', ['Partner', 'Children', 'Parents', 'Friends', 'Colleagues', 'Nobody']],
  ['multiple', 'Which of these did you see in the store?', ['A display', 'A coupon', 'A sample', 'A poster', 'None of these']],
  ['multiple', 'Which devices do you use every day?', ['Phone', 'Tablet', 'Laptop', 'Desktop', 'Television', 'Smart speaker']],
  ['multiple', 'On which days do you shop?', ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']],
  ['multiple', 'Which words describe {brand}?', ['Honest', 'Modern', 'Cheap', 'Warm', 'Loud', 'Reliable', 'Fun']],
  [
    'multiple',
    'Which social networks did you open this week?',
    ['Facebook', 'Instagram', 'TikTok', 'YouTube', 'Reddit', 'None of these'],
  ],
  ['multiple', 'What kept you from buying {product}?', ['Price', 'Out of stock', 'A better offer', 'No need', 'Nothing kept me']],
  ['multiple', 'Which meals did you cook at home this week?', ['Breakfast', 'Lunch', 'Dinner', 'None']],
  ['multiple', 'Who was with you in the store?', ['Nobody', 'Partner', 'Children', 'Friends', 'Somebody else']],
  ['number', 'How many times did you buy {product} in the past month?'],
  ['number', 'How many minutes did you spend in the store?'],
  ['number', 'What would you pay for {brand} {product}, in dollars?'],
  ['number', 'How many people live in your household?'],
  ['open', 'What did you like most about {brand} {product}?'],
  ['open', 'What would you tell the makers of {brand}?'],
  ['open', 'Why did you choose {product} today?'],
  ['open', 'What was missing in the store?'],
  ['open', 'How would you describe {brand} to a friend?'],
  ['open', 'Is there anything else that we should know?'],
]
const ofType = (answer: AnswerType) => MORE.filter(([type]) => type === answer)

/** Replaces some questions by ones of other types; every survey ends with an open one. */
export function mixed(random: Random, questions: readonly DemoQuestion[], fill: (text: string) => string): DemoQuestion[] {
  const wanted: More[] = [
    ...random.some(ofType('open'), questions.length > 30 ? 2 : 1),
    ...random.some(ofType('multiple'), Math.round(questions.length / 6)),
    ...random.some(ofType('number'), questions.length > 12 ? 1 : Number(random.chance(0.4))),
    ...random.some(ofType('single'), Math.floor(questions.length / 12)),
  ]
  const list = [...questions]
  // The first four questions are in almost every survey.
  const places = random.some(
    questions.map((_, at) => at).filter((at) => at >= 4 && at < questions.length - 1),
    wanted.length - 1,
  )
  // A short survey has fewer questions than wanted.
  for (const [nth, [answer, name, options = []]] of wanted.slice(0, places.length + 1).entries())
    list[nth ? places[nth - 1]! : questions.length - 1] = { name: fill(name), options: options.map(fill), type: 'survey', answer }
  return list
}

/** Adds questions of the whole bank that a long survey doesn't have yet. */
export function lengthened(
  random: Random,
  questions: readonly DemoQuestion[],
  count: number,
  bank: readonly DemoQuestion[],
  fill: (text: string) => string,
): DemoQuestion[] {
  const known = new Set(questions.map(({ name }) => name))
  const others = MORE.map(
    ([answer, name, options = []]): DemoQuestion => ({ name: fill(name), options: options.map(fill), type: 'survey', answer }),
  )
  const more = random.shuffle([...bank, ...others]).filter(({ name }) => !known.has(name))
  return [...questions.slice(0, -1), ...more.slice(0, Math.max(0, count - questions.length)), ...questions.slice(-1)]
}
