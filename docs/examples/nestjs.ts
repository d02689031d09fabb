import {
  Catch,
  Controller,
  Get,
  HttpException,
  Module,
  NotFoundException,
  Param,
  Post,
  Body,
  Req,
} from "@nestjs/common";
import type { ArgumentsHost, ExceptionFilter } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { apiError } from "etiquette/api-error";
import { createServer } from "etiquette/create-server";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { suite } from "etiquette/suite";
import { getEntityTag, weakEtag } from "etiquette/weak-etag";

@Controller("users")
class UsersController {
  @Get(":id")
  find(@Param("id") id: string, @Req() req: object) {
    if (id !== "1") throw new NotFoundException(`User ${id} does not exist.`);
    const user = { id, name: "Ann" };
    getEntityTag(req).set(user);
    return user;
  }

  @Post()
  create(@Body() body: { name?: string }) {
    if (!body.name)
      throw apiError("E0000001", { detail: "name", causes: [{ message: "is missing.", pointer: "/name" }] });
    return { id: "2", name: body.name };
  }
}

@Module({ controllers: [UsersController] })
class AppModule {}

/** Passes every error on, to errorFormatter; and what Nest has no route for, to methodNotAllowed and notFound. */
@Catch()
class PassOn implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost) {
    const http = host.switchToHttp();
    const isUnknown = error instanceof NotFoundException && http.getRequest().route === undefined;
    http.getNext()(isUnknown ? undefined : error);
  }
}

/** The exceptions of Nest, whose message is for clients unless it is a 5xx. */
const nestErrors = (error: unknown) =>
  error instanceof HttpException && error.getStatus() < 500
    ? Object.assign(new Error(error.message), { status: error.getStatus(), expose: true })
    : undefined;

async function start() {
  const { guards, fallbacks } = suite({ errorFormatter: { map: nestErrors } });
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false, logger: ["error"] });
  app.disable("etag").use(guards, weakEtag({ fields: ["name"] }));
  app.useGlobalFilters(new PassOn());
  await app.init(); // mounts the controllers
  app.use(methodNotAllowed(), fallbacks);
  createServer(app.getHttpAdapter().getInstance()).listen(3000);
}

void start();
