/** An application with a service that has a schedule; then requests as a browser and a program send them. */
import 'reflect-metadata';
import type { OnModuleInit } from '@nestjs/common';
import { Controller, Get, Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Carillon, RunContext } from 'carillon';
import { CARILLON, CarillonModule } from './carillon.module.ts';

@Injectable()
class Reports implements OnModuleInit {
  constructor(@Inject(CARILLON) private readonly carillon: Carillon) {}

  async onModuleInit(): Promise<void> {
    const run = this.carillon.handle('report', (context: RunContext<{ team: string }>) =>
      this.write(context),
    );
    await this.carillon.schedules.upsert('nightly', {
      cron: '0 2 * * *',
      zone: 'Europe/Berlin',
      run,
      input: { team: 'sales' },
    });
  }

  write({ input }: RunContext<{ team: string }>): string {
    console.log(`the report of ${input.team} is written`);
    return 'written';
  }
}

@Controller()
class Home {
  @Get()
  home(): string {
    return 'my application';
  }
}

@Module({
  imports: [
    CarillonModule.forRoot({
      store: process.env.DATABASE_URL ?? 'memory:',
      path: 'carillon',
      // Your guards decide who calls; this accepts one name in a header.
      authenticate: ({ headers }) =>
        headers['x-user'] === 'ada' ? { actor: 'ada', role: 'operator' } : null,
    }),
  ],
  controllers: [Home],
  providers: [Reports],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.enableShutdownHooks();
await app.listen(Number(process.env.PORT ?? 0), '127.0.0.1');

if (process.env.PORT === undefined) {
  const url = await app.getUrl();
  const headers = { 'x-user': 'ada', 'content-type': 'application/json' };
  const trigger = { method: 'POST', headers, body: '{}' };
  const { runId } = await (await fetch(`${url}/carillon/api/v1/schedules/nightly:trigger`, trigger)).json();
  const ended = await fetch(`${url}/carillon/api/v1/runs/${runId}?waitMs=10000`, { headers });
  console.log(`the run of ada: ${(await ended.json()).state}`);
  console.log(`the page: ${(await fetch(`${url}/carillon/ui/`)).status}`);
  console.log(`a stranger: ${(await fetch(`${url}/carillon/api/v1/schedules`)).status}`);
  console.log(`beside it: ${await (await fetch(url)).text()}`);
  await app.close();
}
