import type { AnswerType } from '../../contract/questionRules.ts'
import type { Random } from './random.ts'

export interface DemoQuestion {
  name: string
  options: readonly string[]
  type: 'survey' | 'profile' | 'reward'
  answer: AnswerType
}

const AGREE = ['Strongly agree', 'Agree', 'Neither', 'Disagree', 'Strongly disagree']
const LIKELY = ['Very likely', 'Somewhat likely', 'Not sure', 'Unlikely', 'Very unlikely']
const OFTEN = ['Daily', 'A few times a week', 'Weekly', 'Monthly', 'Less often', 'Never']
const SATISFIED = ['Very satisfied', 'Satisfied', 'Neutral', 'Dissatisfied', 'Very dissatisfied']
const YES = ['Yes', 'No', 'Not sure']

/** Survey questions with {brand} and {product}; the first ones are in almost every survey. */
const BANK: readonly [name: string, options: readonly string[]][] = [
  ['Before today, had you heard of {brand}?', YES],
  ['How often do you buy {product} products?', OFTEN],
  ['How likely are you to buy {brand} {product} in the next 30 days?', LIKELY],
  ['Overall, how satisfied were you with {brand} {product}?', SATISFIED],
  [
    'Which of these comes closest to why you chose {product} today?',
    ['Price', 'Taste or quality', 'Habit', 'Recommended', 'On display', 'Other'],
  ],
  [
    'Where did you last buy {product}?',
    ['Grocery store', 'Big-box store', 'Convenience store', 'Online', 'Club store', 'Somewhere else'],
  ],
  [
    'How would you rate the price of {brand} {product}?',
    ['Much too high', 'A little high', 'About right', 'A little low', 'Much too low'],
  ],
  ['How likely are you to recommend {brand} to a friend?', LIKELY],
  ['"{brand} is a brand for people like me."', AGREE],
  ['"{brand} is worth what it costs."', AGREE],
  ['"{brand} cares about the environment."', AGREE],
  ['"{brand} is easy to find where I shop."', AGREE],
  ['Did you notice an ad for {brand} in the past two weeks?', YES],
  [
    'Where did you see or hear the ad?',
    ['Television', 'Social media', 'Streaming video', 'Radio or podcast', 'Billboard', 'In the store'],
  ],
  ['What did the ad make you want to do?', ['Buy it', 'Look it up', 'Tell somebody', 'Nothing', 'Skip it']],
  [
    'Who in your household decides about {product}?',
    ['I do', 'My partner', 'My children', 'We decide together', 'Nobody in particular'],
  ],
  ['How many people will share what you bought?', ['Just me', '2', '3', '4', '5 or more']],
  ['When do you usually have {product}?', ['Morning', 'Midday', 'Afternoon', 'Evening', 'Late at night']],
  ['Which package would you pick from the shelf?', ['Design A', 'Design B', 'Design C', 'None of these']],
  ['How new and different is this idea?', ['Extremely', 'Very', 'Somewhat', 'Slightly', 'Not at all']],
  ['How believable is what it promises?', ['Extremely', 'Very', 'Somewhat', 'Slightly', 'Not at all']],
  ['Which size would you buy?', ['Single', 'Regular', 'Family', 'Value pack']],
  ['What would you change first?', ['The price', 'The package', 'The choice of kinds', 'Where it is sold', 'Nothing']],
  [
    'How did you hear about {brand}?',
    ['Friends or family', 'Social media', 'Television', 'Search', 'In a store', 'I do not remember'],
  ],
  ['How easy was it to find {product} in the store?', ['Very easy', 'Easy', 'Neither', 'Hard', 'Very hard']],
  ['Was {product} in stock when you visited?', ['Yes', 'Partly', 'No']],
  ['How clean was the store?', SATISFIED],
  ['How friendly was the staff?', SATISFIED],
  ['How long did you wait in line?', ['No wait', 'Under 2 minutes', '2 to 5 minutes', '5 to 10 minutes', 'Longer']],
  ['Did you use a coupon or an app offer?', ['Coupon', 'App offer', 'Both', 'Neither']],
  ['Compared with a year ago, do you buy {product} …', ['Much more', 'A little more', 'The same', 'A little less', 'Much less']],
  ['What matters most when you choose between brands?', ['Price', 'Quality', 'Ingredients or materials', 'Brand', 'Convenience']],
  ['How do you feel about subscriptions for {product}?', ['I have one', 'Interested', 'Not sure', 'Not interested']],
  [
    'Which of these would make you try {brand}?',
    ['A free sample', 'A discount', 'A friend’s word', 'An expert’s review', 'Nothing'],
  ],
  ['"I enjoy trying new {product} kinds."', AGREE],
  ['"I plan my shopping in advance."', AGREE],
  ['"I would pay more for a local brand."', AGREE],
  ['How often do you order groceries online?', OFTEN],
  ['How often do you eat out?', OFTEN],
  ['How often do you watch streaming services?', OFTEN],
  ['Which device did you use today?', ['Phone', 'Tablet', 'Laptop', 'Desktop']],
  ['How would you rate this survey?', ['Excellent', 'Good', 'Fair', 'Poor']],
]
/** The most questions that `questionsOf` returns. */
export const BANK_SIZE = BANK.length
const PROFILE: readonly [string, readonly string[]][] = [
  ['What is your employment status?', ['Full time', 'Part time', 'Self-employed', 'Student', 'Retired', 'Not working']],
  ['What is the highest level of education you finished?', ['High school', 'Some college', 'Associate', 'Bachelor', 'Graduate']],
]

/** Fills in the names of a brand and its product. */
export const filler = (brand: string, product: string) => (text: string) =>
  text.replaceAll('{brand}', brand).replaceAll('{product}', product.toLowerCase())

/** A survey's questions in order: `count` survey questions, sometimes followed by profile and reward ones (order 0). */
export function questionsOf(random: Random, count: number, brand: string, product: string): DemoQuestion[] {
  const fill = filler(brand, product)
  const sure = BANK.slice(0, Math.min(4, count))
  const rest = random.some(BANK.slice(4), Math.max(0, count - sure.length))
  const list: DemoQuestion[] = [...sure, ...rest].map(([name, options]) => ({
    name: fill(name),
    options,
    type: 'survey',
    answer: 'single',
  }))
  return list
}

/** Profile and reward questions, which some surveys have as well. */
export function extraQuestions(): DemoQuestion[] {
  return [
    ...PROFILE.map(([name, options]): DemoQuestion => ({ name, options, type: 'profile', answer: 'single' })),
    {
      name: 'How would you like to receive your reward?',
      options: ['Gift card by email', 'Second provider', 'Donate it'],
      type: 'reward',
      answer: 'single',
    },
  ]
}

/** How many survey questions a survey has: median 18, at least 6, at most the whole bank. */
export const questionCount = (random: Random): number => Math.min(BANK.length, Math.max(6, Math.round(random.logNormal(18, 29))))
