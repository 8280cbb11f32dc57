import { defineAgentTool } from 'baigong';
import { z } from 'zod';
import { fetchWeather } from './fetch-weather.ts';
import { MAX_CITY_LENGTH } from './is-city-name.ts';

/** The tool's part of the project's configuration; all of it may be left out. */
interface WeatherConfig {
  readonly weather?: { readonly baseUrl?: string };
}

export default defineAgentTool.withConfig<WeatherConfig | null | undefined>()({
  description:
    '查询城市现在的天气：气温、体感、天气现象、风速、湿度。Current weather of a city. Use when the user asks about the weather, temperature, rain or wind somewhere now.',
  summary: '查天气 Current weather of a city',
  category: 'information',
  tags: ['weather', 'temperature', 'city', '天气', '气温', '城市'],
  examples: ['北京今天天气怎么样', '上海那边冷不冷', '外面风大吗，我在成都', "What's the weather in London?"],
  inputSchema: z.object({
    city: z
      .string()
      .min(1)
      .max(MAX_CITY_LENGTH)
      .describe('城市名 Name of one city, Chinese or English; add the country when the name is common')
      .meta({ examples: ['北京', 'London', 'Springfield, Illinois'] }),
  }),
  returns: 'Temperature and feels-like in °C, condition, wind in km/h, humidity in %, local time of observation',
  requiresApproval: 'never',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  execute: ({ city }, { config, locale, signal }) =>
    fetchWeather({ city, locale, signal, baseUrl: config?.weather?.baseUrl ?? 'https://wttr.in' }),
});
