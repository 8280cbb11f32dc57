/** What the tool tells people and models, in each language. */
export const texts = {
  en: {
    notACity: (city: string) => `"${city}" is not the name of a city.`,
    nameCity: 'Give only the name of one city, in Chinese or English, such as 北京 or New York.',
    unknownCity: (city: string) => `The weather service knows no city named "${city}".`,
    checkCity: 'Check the spelling, try the English name or a larger city nearby, or ask the user which city is meant.',
    unreachable: 'The weather service cannot be reached.',
    failing: (status: number) => `The weather service reports a failure of its own (HTTP status ${status}).`,
    tooLong: 'The weather service sent an answer of more than 1 MB.',
    notUnderstood: 'The weather service sent an answer that is not a weather report.',
    later:
      'Other arguments will not help. Tell the user that the weather is not available now, and to try again later.',
  },
  zh: {
    notACity: (city: string) => `“${city}”不是城市名。`,
    nameCity: '请只给出一个城市的中文或英文名，例如 北京 或 New York。',
    unknownCity: (city: string) => `天气服务中没有名为“${city}”的城市。`,
    checkCity: '请检查写法，改用英文名或附近的大城市，或询问用户指的是哪个城市。',
    unreachable: '无法连接天气服务。',
    failing: (status: number) => `天气服务自身出错（HTTP 状态 ${status}）。`,
    tooLong: '天气服务返回的内容超过 1 MB。',
    notUnderstood: '天气服务返回的内容不是天气报告。',
    later: '换参数没有用。请告诉用户暂时查不到天气，稍后再试。',
  },
} as const;
